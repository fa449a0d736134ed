package dev.weir.state;

import dev.weir.fault.RunException;
import dev.weir.testing.Jvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A process of its own that works on one {@code .weir} folder, says what it did, and does more when told. */
final class StateChild implements AutoCloseable {

    private final Process process;
    private final BufferedReader lines;

    private StateChild(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a child; see {@link #main} for what it can do. */
    static StateChild start(String task, Path weirDir, String... arguments) throws IOException {
        List<String> command = command(task, weirDir, arguments);
        return new StateChild(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Starts a child behind shell commands, which must end with {@code "$@"}. */
    static StateChild startIn(String shell, String task, Path weirDir, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("unshare", "-m", "sh", "-c", shell, "sh"));
        command.addAll(command(task, weirDir, arguments));
        return new StateChild(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private static List<String> command(String task, Path weirDir, String... arguments) {
        List<String> command = Jvm.command(Jvm.SHORT_LIVED, StateChild.class);
        command.addAll(List.of(task, weirDir.toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** The next line it says that is for us; what libraries log is passed over. */
    String says() throws IOException {
        while (true) {
            String line = lines.readLine();
            if (line == null || line.startsWith("> ")) {
                return line == null ? "" : line.substring(2);
            }
        }
    }

    /** Everything it says until it ends. */
    List<String> saysAll() throws IOException {
        List<String> said = new ArrayList<>();
        for (String line = says(); !line.isEmpty(); line = says()) {
            said.add(line);
        }
        return said;
    }

    long pid() {
        return process.pid();
    }

    /** SIGKILL: nothing of the process runs after it. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Lets it go on, and end. */
    void goOn() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    int ends() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        kill();
    }

    public static void main(String[] arguments) throws Exception {
        Path weirDir = Path.of(arguments[1]);
        if (arguments[0].equals("read")) {
            try (StateStore store =
                    StateStore.openForReading(weirDir, Clock.systemUTC()).orElseThrow()) {
                say(store.allPositions("shop").size() + " positions, "
                        + store.locks().isHeld("pg.orders"));
            }
            return;
        }
        try (StateStore store = StateStore.openForLoading(weirDir, Clock.systemUTC())) {
            switch (arguments[0]) {
                case "hold" -> hold(store, arguments[2], arguments[3]);
                case "race" -> race(store, arguments[2], arguments[3]);
                case "save" -> save(store, arguments[2], Integer.parseInt(arguments[3]));
                case "open" -> say("opened");
                case "plan" -> plan(store, arguments);
                case "work" -> work(store, arguments[2], Integer.parseInt(arguments[3]));
                case "share" -> share(store, arguments[2]);
                case "load-chunk", "load-forward" ->
                    load(store, arguments[0], Long.parseLong(arguments[2]), Long.parseLong(arguments[3]));
                case "meet-chunk", "meet-forward" -> meet(store, arguments[0], Path.of(arguments[2]));
                case "look" -> look(store, arguments[2]);
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        } catch (RunException e) {
            say(e.getMessage().replace('\n', ' '));
        }
    }

    /** Begins a run, locks an entity, and waits to be told to go on, or to be killed. */
    private static void hold(StateStore store, String entity, String runId) throws Exception {
        store.started(RunRecord.starting(runId, "shop", "run", Clock.systemUTC().instant(), ProcessIdentity.current()));
        try (EntityLocks.Lease lease =
                store.locks().acquire(List.of(entity), runId, Duration.ZERO, time -> Thread.sleep(time.toMillis()))) {
            say("holds " + lease.keys());
            waitForALine();
        }
        say("released");
    }

    /** When told, tries once. */
    private static void race(StateStore store, String entity, String runId) throws Exception {
        say("ready");
        waitForALine();
        try (EntityLocks.Lease lease =
                store.locks().acquire(List.of(entity), runId, Duration.ZERO, time -> Thread.sleep(time.toMillis()))) {
            say("won " + lease.keys());
            waitForALine();
        } catch (RunException e) {
            say(e.fault().code().toString());
            waitForALine();
        }
    }

    /** Moves a position up one by one. */
    private static void save(StateStore store, String sink, int times) {
        for (int value = 1; value <= times; value++) {
            store.save(List.of(Samples.moved(sink, value, "run-of-" + sink)));
            say(Integer.toString(value));
        }
    }

    /** Joins a plan and tries to claim chunks of it. */
    private static void plan(StateStore store, String... arguments) throws Exception {
        try (PlanLease lease = join(store, arguments[2])) {
            List<Integer> claimed = new ArrayList<>();
            for (int i = 3; i < arguments.length; i++) {
                lease.tryClaim(Integer.parseInt(arguments[i])).ifPresent(claim -> claimed.add(claim.chunk()));
            }
            say("others " + lease.othersLive() + ", claimed " + claimed);
        }
    }

    private static PlanLease join(StateStore store, String backfillId) throws InterruptedException {
        return store.planLocks().join("shop", backfillId, Duration.ZERO, time -> Thread.sleep(time.toMillis()));
    }

    /** Begins a plan, runs its first chunk, claims its second, and waits to be killed. */
    private static void work(StateStore store, String backfillId, int chunks) throws Exception {
        try (PlanLease lease = join(store, backfillId)) {
            BackfillRecord plan = PlanSamples.plan(backfillId, chunks, 0);
            store.backfills().begin(plan, PlanSamples.chunks(chunks));
            lease.openGate();
            for (int chunk = 0; chunk < 2; chunk++) {
                lease.tryClaim(chunk).orElseThrow();
                store.backfills().claim(plan.key(), PlanSamples.id(chunk), "child");
            }
            store.backfills().running(plan.key(), PlanSamples.id(0));
            say("running 0, claimed 1");
            waitForALine();
        }
    }

    /** When told, runs whatever chunk of a plan is free until none is left; says how many it ran. */
    private static void share(StateStore store, String backfillId) throws Exception {
        Backfills backfills = store.backfills();
        BackfillKey key = new BackfillKey("shop", backfillId, 0);
        say("ready");
        waitForALine();
        int ran = 0;
        try (PlanLease lease = join(store, backfillId)) {
            lease.openGate();
            for (ChunkRecord chunk : backfills.chunks("shop", backfillId)) {
                Optional<PlanLease.Claim> claim = lease.tryClaim(Integer.parseInt(chunk.chunkId()));
                if (claim.isPresent()
                        && backfills.claim(key, chunk.chunkId(), "child").taken()) {
                    backfills.running(key, chunk.chunkId());
                    backfills.completed(key, chunk.chunkId(), 1);
                    ran++;
                }
                claim.ifPresent(PlanLease.Claim::close);
            }
        }
        say(Integer.toString(ran));
    }

    /** Looks at a plan again and again until it is killed. */
    private static void look(StateStore store, String backfillId) throws InterruptedException {
        say("looks");
        while (true) {
            store.planLocks().lives("shop", backfillId);
            store.planLocks().isClaimed("shop", backfillId, 5);
            Thread.sleep(1);
        }
    }

    /** Loads a range until it is killed. */
    private static void load(StateStore store, String task, long from, long to) throws Exception {
        List<Loading> loadings = List.of(ActiveRangesTest.rows("lake.a", from, to));
        try (Range range = new Range(store, task, loadings);
                ActiveRanges.Held held = range.enter()) {
            say("loads");
            waitForALine();
        }
    }

    /** When told, loads one range again and again, and says how often nobody else was at it. */
    private static void meet(StateStore store, String task, Path inside) throws Exception {
        say("ready");
        waitForALine();
        int alone = 0;
        try (Range range = new Range(store, task, List.of(ActiveRangesTest.rows("lake.a", 0, 10)))) {
            for (int i = 0; i < 10; i++) {
                try (ActiveRanges.Held held = range.enter()) {
                    Files.createFile(inside);
                    Thread.sleep(1);
                    Files.delete(inside);
                    alone++;
                }
            }
        }
        say("alone " + alone + " times");
    }

    /** A chunk's or a forward run's way in. */
    private record Range(StateStore store, ActiveRanges.@Nullable Forward forward, List<Loading> loadings)
            implements AutoCloseable {

        Range(StateStore store, String task, List<Loading> loadings) {
            this(store, task.endsWith("forward") ? store.activeRanges().register(loadings, task) : null, loadings);
        }

        ActiveRanges.Held enter() throws InterruptedException {
            return forward == null
                    ? store.activeRanges().enter(loadings, "chunk", ActiveRangesTest.SLEEPER, note -> {})
                    : forward.enter(loadings, ActiveRangesTest.SLEEPER, note -> {});
        }

        @Override
        public void close() {
            if (forward != null) {
                forward.close();
            }
        }
    }

    private static void say(String line) {
        System.out.println("> " + line);
        System.out.flush();
    }

    private static void waitForALine() throws IOException {
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    }
}
