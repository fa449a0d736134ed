package dev.weir.run;

import dev.weir.plan.Plan;
import java.time.Clock;

/**
 * What is looked at when it is found out where sinks stand.
 *
 * @param plan what was selected
 * @param whole all there is in the project
 */
record Scope(
        Plan plan,
        Plan whole,
        Connections connections,
        Remembered remembered,
        Clock clock,
        Cancellation cancellation) {}
