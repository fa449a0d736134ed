package dev.weir.cli;

import dev.weir.event.Event;
import dev.weir.event.EventSink;
import dev.weir.event.NdjsonRenderer;
import dev.weir.event.ScreenSize;
import dev.weir.event.TerminalLook;
import dev.weir.event.TerminalRenderer;
import dev.weir.event.TextRenderer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How a run is shown: as JSON, as lines of text, or live on a terminal.
 *
 * <p>Live and in colours only where the output is a terminal that can take it; in colours only without {@code NO_COLOR}.
 * Source of the rules: contract, sections 4.2 and 4.3.
 */
final class Display implements EventSink, AutoCloseable {

    private final EventSink events;
    private final Consumer<String> notes;
    private final Runnable end;

    private Display(EventSink events, Consumer<String> notes, Runnable end) {
        this.events = events;
        this.notes = notes;
        this.end = end;
    }

    /** Events on stdout, notes on stderr. */
    static Display json(Console console) {
        TextRenderer text = TextRenderer.notesOnly(console.err(), console.redactor());
        EventSink events = EventSink.all(List.of(new NdjsonRenderer(console.out(), console.redactor()), text));
        return new Display(events, text::note, () -> {});
    }

    /**
     * @param live whether lines may be drawn where the output is a terminal
     * @param loop whether passes repeat
     */
    static Display text(Console console, boolean live, boolean loop) {
        Optional<ScreenSize> size = terminal(console);
        if (size.isEmpty()) {
            TextRenderer text = new TextRenderer(console.out(), console.redactor());
            return new Display(text, text::note, () -> {});
        }
        TerminalLook look = look(console);
        if (!live) {
            TextRenderer text = TextRenderer.painted(console.out(), console.redactor(), look);
            return new Display(text, text::note, () -> {});
        }
        LiveScreen screen = new LiveScreen(console.screen(), size.get());
        TerminalRenderer renderer =
                new TerminalRenderer(console.out(), console.redactor(), look, screen::size, System::nanoTime, loop);
        screen.start(renderer::draw);
        return new Display(renderer, renderer::note, () -> {
            screen.close();
            renderer.close();
        });
    }

    /** The terminal that the output is shown on, where that can take more than lines. */
    static Optional<ScreenSize> terminal(Console console) {
        return canBeDrawnOn(console.environment()) ? console.screen().size() : Optional.empty();
    }

    private static boolean canBeDrawnOn(Map<String, String> environment) {
        String terminal = environment.getOrDefault("TERM", "");
        return !terminal.isEmpty() && !terminal.equals("dumb");
    }

    /** What a terminal in this environment may be sent. */
    static TerminalLook look(Console console) {
        Map<String, String> environment = console.environment();
        boolean colours = environment.getOrDefault("NO_COLOR", "").isEmpty();
        String charset = List.of("LC_ALL", "LC_CTYPE", "LANG").stream()
                .map(name -> environment.getOrDefault(name, ""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
        return new TerminalLook(colours, charset.matches("(?i).*utf-?8.*"));
    }

    @Override
    public void accept(Event event) {
        events.accept(event);
    }

    /** Shows what a person should know. */
    void note(String text) {
        notes.accept(text);
    }

    /** Leaves the terminal as it was found: the last line ended, the cursor visible. */
    @Override
    public void close() {
        end.run();
    }
}
