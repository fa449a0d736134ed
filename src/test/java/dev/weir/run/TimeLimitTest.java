package dev.weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimeLimitTest {

    /** Has begun what is due when it is told not to. */
    private static final class LateTimer extends ScheduledThreadPoolExecutor {

        private Runnable alarm = () -> {};

        LateTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long delay, long period, TimeUnit unit) {
            alarm = command;
            return super.scheduleAtFixedRate(command, delay, period, unit);
        }
    }

    @Test
    void anAlarmThatComesWhenTheWorkIsDoneEndsNothing() {
        LateTimer timer = new LateTimer();
        try {
            TimeLimit limit = new TimeLimit("pg", Optional.of(Duration.ofHours(1)), timer);
            TimeLimit.Running running = limit.start(() -> {});
            running.close();

            timer.alarm.run();

            assertThat(running.hasElapsed()).isFalse();
        } finally {
            timer.shutdownNow();
        }
    }
}
