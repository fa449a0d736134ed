package dev.weir.engine;

import dev.weir.connector.Column;
import dev.weir.connector.DuckSession;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.SliceRead;
import dev.weir.connector.Staged;
import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * One in-memory DuckDB: stages slices, runs pipelines, checks keys.
 *
 * <p>Runs in UTC whatever the machine's zone, and loads no extension from anywhere. Thread-safe: each call works on a
 * connection of its own, and different ids never get in each other's way. An id is a relation's name in the schema {@code
 * staging}, a source's or a pipeline's, for good.
 */
public final class DuckEngine implements DuckSession, AutoCloseable {

    /** How much room DuckDB needs to spill: a slice of some size, in bytes. */
    private static final long ROOM_TO_SPILL = 64_000_000;

    private final DuckDBConnection root;
    private final Path tempDirectory;
    private final Statements statements = new Statements();
    private final Attachments attachments;
    private final Staging staging;
    private final Binder binder;
    private final KeyCheck keyCheck;
    private final RowCondition rowCondition;

    private DuckEngine(DuckDBConnection root, EngineSettings settings) throws SQLException {
        this.root = root;
        this.tempDirectory = settings.tempDirectory();
        this.attachments = new Attachments(root, statements, settings);
        ReadFunction function = new ReadFunction(statements::isCancelled);
        function.register(root);
        this.staging = new Staging(statements, function);
        this.binder = new Binder(statements, staging);
        this.keyCheck = new KeyCheck(statements, staging);
        this.rowCondition = new RowCondition(statements, staging);
    }

    /**
     * Starts the instance.
     *
     * @throws UsageException {@code WR0105} when DuckDB cannot take the memory limit or the threads
     */
    public static DuckEngine start(EngineSettings settings) {
        Properties properties = new Properties();
        properties.setProperty("temp_directory", settings.tempDirectory().toString());
        settings.memoryLimit().ifPresent(limit -> properties.setProperty("memory_limit", limit));
        properties.setProperty("threads", Integer.toString(settings.usualThreads()));
        try {
            DuckDBConnection root =
                    DriverManager.getConnection("jdbc:duckdb:", properties).unwrap(DuckDBConnection.class);
            try (Statement statement = root.createStatement()) {
                statement.execute("SET GLOBAL TimeZone = 'UTC'");
                statement.execute("SET GLOBAL autoinstall_known_extensions = false");
                statement.execute("SET GLOBAL autoload_known_extensions = false");
                // Sinks write the log into the file between transactions, see Attachment.fold.
                statement.execute("SET GLOBAL wal_autocheckpoint = '1GB'");
                if (settings.searchPath().isPresent()) {
                    String folder = settings.searchPath().get().toString();
                    statement.execute("SET GLOBAL file_search_path = " + DuckSession.literal(folder));
                }
                statement.execute("CREATE SCHEMA staging");
                Binder.prepare(statement);
            }
            return new DuckEngine(root, settings);
        } catch (LinkageError e) {
            throw DuckErrors.notLoaded(e);
        } catch (SQLException e) {
            throw new UsageException(
                    Code.BAD_VALUE,
                    "weir.yml",
                    "DuckDB does not start: " + DuckErrors.message(e),
                    "correct memory: (as in 4GB) and threads: (a number above zero)");
        }
    }

    @Override
    public Connection connect() throws SQLException {
        return root.duplicate();
    }

    @Override
    public void interrupt(Connection connection) {
        statements.cancel(connection);
    }

    @Override
    public Attachment attach(Path file, boolean written, String place) {
        return attachments.attach(file, written, place);
    }

    /**
     * Stages the rows of a read, in place of whatever was staged under the id before.
     *
     * @throws dev.weir.fault.RunException the source's own failure as it was thrown; {@code WR0524} when a value cannot
     *     be restored; {@code WR0599} when another number of rows was staged than was read
     */
    public StagedSource stage(String id, ReadRequest request, SliceRead read, StageListener listener) {
        if (read instanceof SliceRead.DuckScan scan) {
            return staging.stage(scan.connection(), id, request, scan, listener);
        }
        SliceRead.Streams streams = read instanceof SliceRead.Streams several
                ? several
                : new SliceRead.Streams(List.of((SliceRead.Vectors) read));
        return on(id, connection -> staging.stage(connection, id, request, streams, listener));
    }

    /**
     * Runs a pipeline's SELECT and keeps its rows under the id.
     *
     * @throws dev.weir.fault.RunException {@code WR0502} with DuckDB's message
     */
    public Staged run(String id, String select) {
        return run(id, id, select);
    }

    /** @param place what an error names: the pipeline's file, whose lines are those of the SELECT */
    public Staged run(String place, String id, String select) {
        return on(place, connection -> staging.run(connection, place, id, select));
    }

    /** No rows of these columns, kept under the id. */
    public Staged empty(String id, List<Column> columns) {
        return run(id, Staging.noRows(columns));
    }

    /**
     * Shows the rows of some relations of these columns under the id, without copying them.
     *
     * @param parts ids, at least one
     */
    public void union(String id, List<String> parts, List<Column> columns) {
        on(id, connection -> {
            try {
                staging.union(connection, id, parts, columns);
                return true;
            } catch (SQLException e) {
                throw DuckErrors.ofPipeline(id, e);
            }
        });
    }

    /**
     * The rows of a relation as columns of it, not copied; under the id where some of them have other names.
     *
     * @param from the id of the relation, which stays as it is for as long as this is used
     * @param columns what is shown, in order
     * @param names the relation's column that each of them is, by name
     * @param rows how many rows the relation holds
     */
    public Staged pick(String id, String from, List<Column> columns, Map<String, String> names, long rows) {
        if (names.entrySet().stream().allMatch(name -> name.getKey().equals(name.getValue()))) {
            return new Staged(Staging.relation(from), columns, rows);
        }
        return on(id, connection -> {
            try {
                staging.pick(connection, id, from, columns, names);
                return new Staged(Staging.relation(id), columns, rows);
            } catch (SQLException e) {
                throw DuckErrors.ofPipeline(id, e);
            }
        });
    }

    /**
     * The columns a SELECT would give, without running it.
     *
     * @param place what an error names: the pipeline's file
     * @param sources the columns of each relation {@code staging."id"} the SELECT may read, by id
     * @throws UsageException {@code WR0215} with DuckDB's message and line, when it is not exactly one SELECT, does not
     *     bind, or gives two columns of one name
     */
    public List<Column> bind(String place, String select, Map<String, List<Column>> sources) {
        return on(place, connection -> binder.bind(connection, place, select, sources));
    }

    /**
     * Checks a SELECT as far as that needs no columns.
     *
     * @param place what an error names: the pipeline's file
     * @throws UsageException {@code WR0215} with DuckDB's message and line, when it is not exactly one SELECT
     */
    public void parse(String place, String select) {
        on(place, connection -> {
            binder.parse(connection, place, select);
            return true;
        });
    }

    /**
     * Whether a SELECT is right slice by slice, found in DuckDB's parse tree of it.
     *
     * @param place what errors and findings name: the pipeline's file
     * @param sources the columns of each relation {@code staging."id"} it may read, by id
     * @param incremental the ids of those that hold a slice, directly or through other pipelines
     * @throws UsageException {@code WR0215} when it is not exactly one SELECT
     */
    public SliceShape shape(String place, String select, Map<String, List<Column>> sources, Set<String> incremental) {
        return on(place, connection -> binder.shape(connection, place, select, sources, incremental));
    }

    /**
     * What a SELECT picks, where it does nothing but pick columns of one relation and gives each row once.
     *
     * @param place what errors name: the pipeline's file
     * @param id the relation {@code staging."id"}
     * @param columns its columns
     * @return the relation's column that each column of the SELECT is, by name; empty: it does more, or that is in doubt
     * @throws UsageException {@code WR0215} when it is not exactly one SELECT
     */
    public Optional<Map<String, String>> picks(String place, String select, String id, List<Column> columns) {
        return on(place, connection -> binder.picks(connection, place, select, id, columns));
    }

    /** Where what does not fit into memory is kept; gone once the engine is closed. Made when it is first needed. */
    public Path tempDirectory() {
        return tempDirectory;
    }

    /**
     * Whether DuckDB could spill now. Where it cannot and its memory is full, its driver ends the whole process when a text
     * that a source has sent finds no room; so nothing is to be read beside work that may need all of the memory.
     */
    public boolean hasRoomToSpill() {
        Path there = tempDirectory.toAbsolutePath();
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        return there != null && Files.isDirectory(there) && there.toFile().getUsableSpace() >= ROOM_TO_SPILL;
    }

    /**
     * The rows with each key once: of several, the row with the greatest {@code orderBy}, NULL being lowest.
     *
     * @param place what an error names: {@code connection.table}
     * @param id where the rows are kept if some have to be left out
     * @param orderBy empty: only equal rows collapse
     * @throws dev.weir.fault.RunException {@code WR0521} for a NULL in a key, {@code WR0522} when different rows of one
     *     key stand equally high
     */
    public Keyed checkKeys(String place, String id, Staged staged, List<String> keys, Optional<String> orderBy) {
        return staged.unique().contains(keys)
                ? new Keyed(staged, 0, 0)
                : on(place, connection -> keyCheck.check(connection, place, id, staged, keys, orderBy));
    }

    /**
     * Looks for NULLs and doubles in a source's rows, ahead of {@link #checkKeys}, which then need not look again. What
     * could not be compared is not known, and no failure.
     *
     * @param lists of columns that rows will be merged by
     * @return the same rows, of which is known in which of these lists they are unique
     */
    public StagedSource compared(StagedSource staged, Set<List<String>> lists) {
        if (lists.isEmpty()) {
            return staged;
        }
        return on(staged.relation(), connection -> staged.withUnique(keyCheck.unique(connection, staged, lists)));
    }

    /**
     * Checks a condition on rows as far as that needs no columns.
     *
     * @param place what an error names: where it is written
     * @throws UsageException {@code WR0215} when it is not one condition on one row
     */
    public void parseCondition(String place, String condition) {
        on(place, connection -> {
            rowCondition.parse(connection, place, condition);
            return true;
        });
    }

    /**
     * Checks a condition on rows of these columns, without asking it of any.
     *
     * @throws UsageException {@code WR0215} when it is not one condition on one row, or does not bind, {@code WR0210} when
     *     it is not BOOLEAN
     */
    public void bindCondition(String place, String condition, List<Column> columns) {
        on(place, connection -> {
            rowCondition.bind(connection, place, condition, columns);
            return true;
        });
    }

    /**
     * Parts rows by a condition, which is asked once of each. A NULL counts as false.
     *
     * @param place what an error names: where the condition is written
     * @param columns the columns that are needed of the rows it is true for
     * @param keptId where the others are kept, if there are any it is true for
     * @param goneId where those it is true for are kept
     * @throws dev.weir.fault.RunException {@code WR0502} with DuckDB's message, when it fails for a row
     */
    public Parted part(
            String place, Staged rows, String condition, List<String> columns, String keptId, String goneId) {
        return on(place, connection -> rowCondition.part(connection, place, rows, condition, columns, keptId, goneId));
    }

    /** The first rows of a relation, each value as DuckDB prints it; null: NULL. */
    public List<List<@Nullable String>> peek(Staged staged, int limit) {
        return on(staged.relation(), connection -> staging.peek(connection, staged, limit));
    }

    /** Drops what is staged under the id, if anything. */
    public void drop(String id) {
        if (!staging.isStaged(id)) {
            return;
        }
        on(id, connection -> {
            staging.drop(connection, id);
            return true;
        });
    }

    /** Ends every statement under way soon with an error, and lets no new one start. Thread-safe; never fails. */
    public void cancel() {
        statements.cancel();
    }

    /** Releases all files and the memory. Connections still open are of no use afterwards. Never fails. */
    @Override
    public void close() {
        attachments.close();
        try {
            root.close();
            delete(tempDirectory);
        } catch (SQLException | IOException | UncheckedIOException e) {
            return;
        }
    }

    private interface Work<T> {
        T on(Connection connection);
    }

    private <T> T on(String place, Work<T> work) {
        try (Connection connection = connect()) {
            return work.on(connection);
        } catch (SQLException e) {
            throw DuckErrors.internal(place, "DuckDB gives no connection: " + DuckErrors.message(e), e);
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
