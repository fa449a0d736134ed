package dev.weir.event;

import java.util.List;

/** Takes events, in their order. Never throws for what it writes to: a run does not fail because nobody listens. */
@FunctionalInterface
public interface EventSink {

    void accept(Event event);

    /** One that hands each event to all of these, in their order. */
    static EventSink all(List<EventSink> sinks) {
        List<EventSink> copy = List.copyOf(sinks);
        return event -> copy.forEach(sink -> sink.accept(event));
    }
}
