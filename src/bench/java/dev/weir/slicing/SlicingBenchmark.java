package dev.weir.slicing;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it takes to decide a slice, and where to go on after it: once a slice, so microseconds are nothing. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SlicingBenchmark {

    /** Of which type the cursor is, and how wide its windows are. */
    @Param({"BIGINT 10000 4990001 5000000", "TIMESTAMPTZ 1h 2026-01-01T00:00:00Z 2026-06-01T00:00:00Z"})
    public String cursor;

    private CursorType type;
    private String window;
    private CursorValue position;
    private CursorValue ceiling;
    private Slice.From from;
    private Slice slice;

    @Setup
    public void takePlace() {
        String[] words = cursor.split(" ");
        type = CursorType.named(words[0]).orElseThrow();
        window = words[1];
        position = type.parse(words[2]);
        ceiling = type.parse(words[3]);
        Sync sync = Sync.parse(type, Sync.Text.windows(window, words[2], words[3]));
        from = new Slice.From(sync, position, ceiling, null);
        slice = Slice.of(from);
    }

    @Benchmark
    public Slice slice() {
        return Slice.of(from);
    }

    @Benchmark
    public Advance advanceOverRows() {
        return Advance.of(slice, position, 10_000, Optional.of(position), Optional.of(ceiling));
    }

    @Benchmark
    public Advance advanceOverEmptyWindows() {
        return Advance.of(slice, position, 0, Optional.empty(), Optional.of(ceiling));
    }

    @Benchmark
    public Step step() {
        return Step.parse(type, window);
    }
}
