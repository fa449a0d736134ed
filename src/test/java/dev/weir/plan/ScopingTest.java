package dev.weir.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Entity;
import dev.weir.fault.Fault;
import dev.weir.fault.UsageException;
import dev.weir.project.ProjectFolder;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.Moment;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a backfill runs on, and what is refused before it begins. Source of the rules: contract, section 6. */
class ScopingTest {

    private static final CursorType TIMESTAMPTZ = CursorType.of(CursorType.Kind.TIMESTAMPTZ);

    private static final String CONNECTIONS = """
            === connections.yml
            pg:
              connector: postgres
              host: h
              database: d
              user: u
              entities:
                orders:
                  read:
                    columns: { id: bigint, at: timestamptz }
                    sync:
                      mode: incremental
                      cursor: at
                      max_window: 1d
                      initial: 2026-01-01
                      until: now
                      delay: 1h
                      lookback: 1h
                      nulls: fail
                      settle: required
                      settle_timeout: 5s
                customers:
                days:
                  read:
                    query: SELECT * FROM days WHERE day >= '${backfill.start_date}' AND day < '${backfill.end_date}'
                today:
                  read:
                    query: SELECT * FROM days WHERE day = '${now.date}'
            lake: {connector: duckdb, path: lake.duckdb}
            staging: {connector: duckdb, path: staging.duckdb}
            files: {connector: bucket}
            readable: {connector: readonly}
            """;
    private static final String MERGE = ", strategy: 'merge', keys: ['id']";

    @TempDir
    private Path dir;

    private static String pipeline(String name, String sink, String from) {
        return "=== pipelines/" + name + ".sql\nINSERT INTO {{ sink(" + sink + ") }}\nSELECT * FROM " + from + "\n";
    }

    private static String source(String entity) {
        return "{{ source('pg', '" + entity + "') }}";
    }

    private Plan plan(String... files) {
        ProjectFolder folder = ProjectFolder.of(dir, CONNECTIONS + String.join("", files));
        Plan plan = Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
        assertThat(ProjectFolder.printed(folder.problems())).isEmpty();
        return plan;
    }

    private static List<String> refused(Plan plan, String name, @Nullable String cursor, @Nullable String into) {
        try {
            Scoping.of(plan, name, cursor, into);
            return List.of();
        } catch (UsageException e) {
            return e.faults().stream().map(Fault::toString).toList();
        }
    }

    private static Moment.OfChunk chunk(String from, String to, String zone) {
        return new Moment.OfChunk("000000", TIMESTAMPTZ.parse(from), TIMESTAMPTZ.parse(to), ZoneId.of(zone));
    }

    @Test
    void theBoundsTakeTheirPlaceInTheSyncBlockAndItsOtherKeysStay() {
        Scoping scoping = Scoping.of(plan(pipeline("p", "'lake', 'out'" + MERGE, source("orders"))), "p", null, null);

        SyncText sync = scoping.scoped().get(0).sync().orElseThrow();
        assertThat(sync.cursor()).isEqualTo("at");
        assertThat(sync.text().initial()).isNull();
        assertThat(sync.text().until()).isNull();
        assertThat(sync.text().maxWindow()).isNull();
        assertThat(sync.text().lookback()).isNull();
        assertThat(sync.text().delay()).isEqualTo("1h");
        assertThat(sync.text().nulls()).isEqualTo("fail");
        assertThat(sync.text().settle()).isEqualTo("required");
        assertThat(sync.text().settleTimeout()).isEqualTo("5s");
        assertThat(scoping.plan().sources()).isEqualTo(scoping.scoped());
        assertThat(scoping.pipeline().sources()).isEqualTo(scoping.scoped());
        assertThat(scoping.plan().connections()).containsOnlyKeys("pg", "lake");
        assertThat(scoping.plan().connection("lake").settings().written()).isTrue();
    }

    @Test
    void anotherCursorScopesTheRowsAndTheirOrderStays() {
        SourceNode scoped = Scoping.of(
                        plan(pipeline("p", "'lake', 'out'" + MERGE, source("orders"))), "p", "created", null)
                .scoped()
                .get(0);

        assertThat(scoped.sync().orElseThrow().cursor()).isEqualTo("created");
        assertThat(scoped.sync().orElseThrow().text().delay()).isEqualTo("1h");
        assertThat(scoped.sync().orElseThrow().text().nulls()).isNull();
        assertThat(scoped.orderCursor()).contains("at");
    }

    @Test
    void aSourceThatRunsReadWholeIsScopedByTheCursorNamed() {
        SourceNode scoped = Scoping.of(
                        plan(pipeline("p", "'lake', 'out'" + MERGE, source("customers"))), "p", "created", null)
                .scoped()
                .get(0);

        assertThat(scoped.isIncremental()).isTrue();
        assertThat(scoped.orderCursor()).contains("created");
    }

    @Test
    void aCursorMeansTheIncrementalSourcesWhereThereAreAnyAndElseThoseWithoutTokens() {
        Plan plan = plan(
                pipeline("p", "'lake', 'p'" + MERGE, source("orders") + " JOIN " + source("customers") + " USING (id)"),
                pipeline("q", "'lake', 'q'" + MERGE, source("days") + " JOIN " + source("customers") + " USING (id)"),
                pipeline("r", "'lake', 'r'" + MERGE, source("days")),
                pipeline("s", "'lake', 's'" + MERGE, source("days") + " JOIN " + source("today") + " USING (id)"));

        assertThat(Scoping.of(plan, "p", "c", null).scoped())
                .map(SourceNode::key)
                .containsExactly("pg.orders");
        assertThat(Scoping.of(plan, "q", "c", null).scoped())
                .map(node -> node.key() + " " + node.isIncremental())
                .containsExactly("pg.customers true", "pg.days false");
        assertThat(Scoping.of(plan, "r", "c", null).scoped())
                .map(node -> node.key() + " " + node.isIncremental())
                .containsExactly("pg.days true");
        assertThat(refused(plan, "s", "c", null)).hasSize(1).first().asString().startsWith("WR0601 --cursor: ");
    }

    @Test
    void pipelinesAboveWriteNothingAndOthersAreNotThere() {
        Plan plan = plan(
                pipeline("above", "'staging', 'above'" + MERGE, source("orders")),
                pipeline("p", "'lake', 'out'" + MERGE, "{{ ref('above') }}"),
                pipeline("other", "'lake', 'other'" + MERGE, source("customers")));
        Scoping scoping = Scoping.of(plan, "p", null, null);

        assertThat(scoping.plan().pipelines()).map(PipelineNode::name).containsExactly("above", "p");
        assertThat(scoping.plan().sinks()).map(SinkNode::id).containsExactly("lake.out");
        assertThat(scoping.plan().connections()).containsOnlyKeys("pg", "lake");
        assertThat(scoping.scoped()).map(SourceNode::key).containsExactly("pg.orders");
    }

    @Test
    void tokensAreFilledForEachChunk() {
        Plan plan = plan(pipeline("p", "'lake', 'out'" + MERGE, source("days")));
        Scoping scoping = Scoping.of(plan, "p", null, null);
        Plan first = scoping.at(chunk("2026-05-31T22:00:00Z", "2026-06-01T22:00:00Z", "Europe/Berlin"));

        Entity.Query query = (Entity.Query) first.sources().get(0).entity();
        assertThat(query.sql()).isEqualTo("SELECT * FROM days WHERE day >= '2026-06-01' AND day < '2026-06-02'");
        assertThat(first.pipelines().get(0).sources()).isEqualTo(first.sources());
        Entity.Query again = (Entity.Query) first.at(chunk("2026-06-02", "2026-06-03", "UTC"))
                .sources()
                .get(0)
                .entity();
        assertThat(again.sql()).contains("'2026-06-02'", "'2026-06-03'");
    }

    @Test
    void aChunkThatDatesCannotMeanIsRefusedAtTheQueryUnlessACursorScopesToo() {
        Plan plan = plan(pipeline("p", "'lake', 'out'" + MERGE, source("days")));
        Moment.OfChunk noon = chunk("2026-06-01T12:00:00Z", "2026-06-02", "UTC");

        assertThatThrownBy(() -> Scoping.of(plan, "p", null, null).check(noon))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("WR0606 connections.yml:24:16: pg.days: the chunk [2026-06-01T12:00:00");
        Scoping.of(plan, "p", "at", null).check(noon);
        Scoping.of(plan, "p", null, null).check(chunk("2026-06-01", "2026-06-02", "UTC"));
    }

    @Test
    void whatCannotBeScopedOrWouldWipeOrDoubleIsRefused() {
        Plan plan = plan(
                pipeline("whole", "'lake', 'a'" + MERGE, source("customers")),
                pipeline("replaced", "'lake', 'b', strategy: 'replace'", source("days")),
                pipeline("appended", "'lake', 'c', strategy: 'append'", source("customers")),
                pipeline("accepted", "'lake', 'd', strategy: 'append', duplicates: 'accept'", source("customers")),
                pipeline("backfilled", "'lake', 'e', strategy: 'append'", source("days")),
                pipeline("daily", "'lake', 'f', strategy: 'append'", source("today")),
                "=== pipelines/nowhere.sql\nSELECT * FROM " + source("orders") + "\n");

        assertThat(refused(plan, "whole", null, null)).containsExactly("""
                        WR0601 pipelines/whole.sql: pipeline whole: nothing it reads can be scoped to a range
                          name the column that orders its rows with --cursor, give its source a sync block, or a query \
                        with ${backfill.start} and ${backfill.end}""");
        assertThat(refused(plan, "replaced", null, null))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WR0335 pipelines/replaced.sql:1:16: pipeline replaced writes lake.b with replace");
        assertThat(refused(plan, "appended", "id", null))
                .hasSize(1)
                .first()
                .asString()
                .startsWith(
                        "WR0602 pipelines/appended.sql:1:16: lake.c takes rows by append, and runs read pg.customers");
        assertThat(refused(plan, "accepted", "id", null)).isEmpty();
        assertThat(refused(plan, "backfilled", null, null)).isEmpty();
        assertThat(refused(plan, "daily", null, null))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WR0602 ");
        assertThat(refused(plan, "nowhere", null, null))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WR0207 ");
        assertThat(refused(plan, "hole", null, null))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WR0217 PIPELINE: there is no pipeline 'hole'\n  did you mean 'whole'?");
        assertThatThrownBy(() -> Scoping.of(plan, null, null, null)).hasMessageContaining("WR0208 PIPELINE");
        assertThat(refused(plan, "whole", " ", null))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WR0105 --cursor: ");
    }

    @Test
    void anOnlyPipelineNeedsNoName() {
        Plan plan = plan(pipeline("p", "'lake', 'out'" + MERGE, source("orders")));

        assertThat(Scoping.of(plan, null, null, null).pipeline().name()).isEqualTo("p");
    }

    @Test
    void aRehearsalWritesTheSameTablesInAnotherConnection() {
        Plan plan = plan(pipeline("p", "'lake', 'out'" + MERGE + ", order_by: 'id'", source("orders")));
        Scoping scoping = Scoping.of(plan, "p", null, "staging");

        SinkNode sink = scoping.pipeline().sinks().get(0);
        SinkNode forward = plan.sinks().get(0);
        assertThat(sink.id()).isEqualTo("staging.out");
        assertThat(sink.nodeId()).isEqualTo("staging.out");
        assertThat(sink.connection()).isEqualTo("staging");
        assertThat(sink.table()).isEqualTo(forward.table());
        assertThat(sink.keys()).isEqualTo(forward.keys());
        assertThat(sink.orderBy()).isEqualTo(forward.orderBy());
        assertThat(scoping.plan().connections()).containsOnlyKeys("pg", "staging");
        assertThat(scoping.plan().connection("staging").settings().written()).isTrue();
        assertThat(scoping.plan().others()).containsKey("lake");
    }

    @Test
    void aRehearsalTouchesNothingOfTheProject() {
        Plan plan = plan(
                pipeline("p", "'lake', 'out'" + MERGE, source("orders")),
                pipeline("home", "'lake', 'public.customers'" + MERGE, source("customers")),
                pipeline("taken", "'staging', 'main.out'" + MERGE, source("orders")),
                pipeline("window", "'lake', 'w', strategy: 'window'", source("orders")));

        assertThat(refused(plan, "p", null, "nope"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WR0202 --into: ");
        assertThat(refused(plan, "p", null, "lake"))
                .containsExactly("WR0105 --into: lake.out cannot go to lake: that is where the pipeline writes anyway\n"
                        + "  name a connection to a database that is kept for rehearsals");
        assertThat(refused(plan, "p", null, "staging"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WR0212 --into: lake.out cannot go to staging: the pipeline taken writes that table there");
        assertThat(refused(plan, "home", "id", "pg"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith(
                        "WR0105 --into: lake.public.customers cannot go to pg: it is what the pipeline reads there");
        assertThat(refused(plan, "p", null, "readable"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WR0210 --into: ");
        assertThat(refused(plan, "window", null, "files"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WR0210 --into: ");
        assertThat(refused(plan, "window", null, "staging")).isEmpty();
    }

    @Test
    void aRunRefusesAQueryThatOnlyABackfillCanReadAndFillsInItsOwnStart() {
        Plan plan = plan(
                pipeline("p", "'lake', 'p'" + MERGE, source("days")),
                pipeline("q", "'lake', 'q'" + MERGE, source("today")));
        Instant started = Instant.parse("2026-09-02T23:15:00Z");

        assertThatThrownBy(() -> Selection.of("p").in(plan, started))
                .isInstanceOf(UsageException.class)
                .hasMessage("WR0606 connections.yml:24:16: pg.days: the token ${backfill.start_date} is for backfills\n"
                        + "  run 'weir backfill p --from … --to …'");
        Entity.Query query = (Entity.Query)
                Selection.of("q").in(plan, started).sources().get(0).entity();
        assertThat(query.sql()).isEqualTo("SELECT * FROM days WHERE day = '2026-09-02'");
    }
}
