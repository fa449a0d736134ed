package dev.weir.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.connector.TableName;
import dev.weir.fault.Redactor;
import dev.weir.fault.UsageException;
import dev.weir.project.Project;
import dev.weir.project.ProjectFolder;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.Strategy;
import dev.weir.slicing.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlannerTest {

    private static final Instant NOW = Instant.parse("2026-09-02T09:15:00Z");

    private static final String CONNECTIONS = """
            === connections.yml
            pg: {connector: postgres, host: h, database: d, user: u, entities: {public.orders: , sales.items: }}
            lake: {connector: duckdb, path: lake.duckdb}
            """;

    @TempDir
    private Path dir;

    private Plan plan(String files) {
        return plan(ProjectFolder.of(dir, files));
    }

    private Plan plan(ProjectFolder folder) {
        Plan plan = Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
        assertThat(ProjectFolder.printed(folder.problems())).isEmpty();
        return plan;
    }

    /** The third reference document's project, cut out of its text word for word. */
    @Test
    void theReferenceProjectIsPlannedWordForWord() throws IOException {
        Path document = Path.of("..", "shared", "reference", "002_d86675ad658b6f3a.txt");
        assumeThat(document).as("the reference documents are not here").exists();
        String text = Files.readString(document);
        String connections = text.substring(text.indexOf("pg_prod:\n"), text.indexOf("Key\tMeaning"))
                        .strip() + "\n";
        String sql = text.substring(text.indexOf("INSERT INTO"), text.indexOf("Incremental plus merge"))
                        .strip() + "\n";

        Plan plan = plan(ProjectFolder.in(dir)
                .file("connections.yml", connections + "lake:\n  connector: duckdb\n  path: lake.duckdb\n")
                .file("pipelines/orders_out.sql", sql)
                .environment("PG_PROD_HOST", "db.example.com")
                .environment("PG_PROD_USER", "reader")
                .environment("PG_PROD_PASSWORD", "pa$$word"));

        SourceNode source = plan.sources().get(0);
        assertThat(source.id()).isEqualTo("src_pg_prod__public_orders");
        assertThat(source.key()).isEqualTo("pg_prod.public.orders");
        assertThat(source.entity()).isEqualTo(new Entity.Table(TableName.parse("public.orders")));
        assertThat(source.columns())
                .containsExactly(
                        new Column("id", "BIGINT"),
                        new Column("customer_id", "BIGINT"),
                        new Column("amount", "DOUBLE"));
        var sync = SyncCheck.parse(source, "BIGINT");
        CursorType bigint = CursorType.of(CursorType.Kind.BIGINT);
        assertThat(sync.initial()).isEqualTo(bigint.units(0));
        assertThat(sync.until()).isEqualTo(new Until.Value(bigint.units(5_000_000)));
        assertThat(sync.maxWindow().units()).isEqualTo(10_000);

        PipelineNode pipeline = plan.pipelines().get(0);
        assertThat(pipeline.name()).isEqualTo("orders_out");
        assertThat(plan.sources(pipeline)).filteredOn(SourceNode::isIncremental).containsExactly(source);
        assertThat(pipeline.sinks().get(0).id()).isEqualTo("lake.orders_synced");
        assertThat(pipeline.sinks().get(0).strategy()).isEqualTo(Strategy.MERGE);
        assertThat(pipeline.sinks().get(0).keys()).containsExactly("id");
        assertThat(plan.connection("pg_prod").settings().options()).containsEntry("password", "pa$$word");
        assertThat(plan.connection("pg_prod").settings().written()).isFalse();
        assertThat(plan.connection("lake").settings().written()).isTrue();
        assertThat(plan.connection("lake").settings().projectDir()).isEqualTo(dir.toAbsolutePath());
        assertThat(Keys.resolve(plan, "pg_prod.orders")).isEqualTo(source);
    }

    @Test
    void aShortNameFindsTheOnlyEntityThatEndsInIt() {
        Plan plan = plan(
                CONNECTIONS
                        + "=== pipelines/p.sql\nINSERT INTO {{ sink('lake', 'o', strategy: 'append') }} SELECT * FROM {{ source('pg', 'orders') }}, {{ source('pg', 'public.orders') }}, {{ source('pg', 'other') }}");
        assertThat(plan.sources()).extracting(SourceNode::key).containsExactly("pg.other", "pg.public.orders");
    }

    @Test
    void aCallMayDeclareAnEntityAndEveryOtherCallReadsItSo() {
        Plan plan = plan(CONNECTIONS + """
                === pipelines/a.sql
                INSERT INTO {{ sink('lake', 'a', strategy: 'window') }} SELECT * FROM {{ source('pg', 'events') }}
                === pipelines/b.sql
                INSERT INTO {{ sink('lake', 'b', keys: ['id']) }}
                SELECT * FROM {{ source('pg', 'events', columns: {id: bigint, at: "timestamptz"}, query: 'SELECT 1',
                    sync: {mode: incremental, cursor: at, max_window: 1h, initial: 2026-01-01, until: now}) }}
                """);
        SourceNode source = plan.sources().get(0);
        assertThat(plan.below(source)).extracting(PipelineNode::name).containsExactly("a", "b");
        assertThat(source.entity()).isEqualTo(new Entity.Query("events", "SELECT 1"));
        assertThat(source.columns())
                .containsExactly(new Column("id", "BIGINT"), new Column("at", "TIMESTAMP WITH TIME ZONE"));
        assertThat(SyncCheck.parse(source, source.columns().get(1).type()).hasStop())
                .isTrue();
    }

    @Test
    void aWatermarkCallMakesAnEntityIncrementalAndUnbounded() {
        Plan plan = plan(CONNECTIONS + """
                === pipelines/p.sql
                INSERT INTO {{ sink('lake', 'p', keys: ['id']) }}
                SELECT *, {{ watermark('pg', 'orders', cursor: 'id') }}, {{ watermark('pg', 'public.orders') }}
                FROM {{ source('pg', 'orders') }}
                """);
        SourceNode source = plan.sources().get(0);
        assertThat(source.sync().orElseThrow().cursor()).isEqualTo("id");
        assertThat(SyncCheck.parse(source, "INTEGER").maxWindow()).isNull();
        assertThat(plan.pipelines().get(0).sql().watermarks()).containsExactly(source.id());
    }

    @Test
    void fullSourcesStandBesideAnIncrementalOne() {
        Plan plan = plan(CONNECTIONS + """
                === pipelines/p.sql
                INSERT INTO {{ sink('lake', 'p', keys: ['id']) }} SELECT * FROM {{ source('pg', 'items') }}
                JOIN {{ source('pg', 'orders', sync: {mode: incremental, cursor: id}) }} JOIN {{ source('lake', 'x') }}
                """);
        PipelineNode pipeline = plan.pipelines().get(0);
        assertThat(pipeline.sources())
                .extracting(SourceNode::key)
                .containsExactly("pg.sales.items", "pg.public.orders", "lake.x");
        assertThat(plan.sources(pipeline))
                .filteredOn(SourceNode::isIncremental)
                .map(SourceNode::key)
                .containsExactly("pg.public.orders");
    }

    @Test
    void idsStayDifferentWhereCaseAndSignsAreLost() {
        Plan plan = plan(
                CONNECTIONS
                        + "=== pipelines/p.sql\nINSERT INTO {{ sink('lake', 'o', strategy: 'append') }} SELECT * FROM "
                        + "{{ source('pg', 'T') }}, {{ source('pg', 't') }}, {{ source('pg', 'a.b') }}, {{ source('pg', 'a_b') }}, {{ source('pg', '日本') }}");
        assertThat(plan.sources())
                .extracting(SourceNode::id)
                .contains("src_pg__T", "src_pg__t_2", "src_pg__a_b", "src_pg__a_b_2", "src_pg____");
        assertThat(plan.sources())
                .extracting(source -> source.id().toLowerCase())
                .doesNotHaveDuplicates();
    }

    /** Cases K1, K4, K6: no name is folded or changed. */
    @Test
    void namesStayAsTheirSystemSpellsThem() {
        Plan plan = plan(CONNECTIONS + """
                === pipelines/p.sql
                INSERT INTO {{ sink('lake', 'Main."odd.name"', keys: ['Id', 'a.b', '日本', 'q"q', 'select'], order_by: 'createdAt') }}
                SELECT * FROM {{ source('pg', '"odd ""schema\"\"\".Orders', sync: {mode: incremental, cursor: "createdAt"}) }}
                """);
        SinkNode sink = plan.sinks().get(0);
        assertThat(sink.table().parts()).containsExactly("Main", "odd.name");
        assertThat(sink.id()).isEqualTo("lake.Main.\"odd.name\"");
        assertThat(sink.keys()).containsExactly("Id", "a.b", "日本", "q\"q", "select");
        assertThat(sink.orderBy()).contains("createdAt");
        assertThat(plan.sources().get(0).sync().orElseThrow().cursor()).isEqualTo("createdAt");
        assertThat(plan.sources().get(0).key()).isEqualTo("pg.\"odd \"\"schema\"\"\".Orders");
    }

    @Test
    void keysGivenAndNoStrategyIsAMerge() {
        Plan plan = plan(
                CONNECTIONS
                        + "=== pipelines/p.sql\nINSERT INTO {{ sink('lake', 't', keys: 'id', keep_columns: true) }} SELECT 1 AS id");
        assertThat(plan.sinks().get(0).strategy()).isEqualTo(Strategy.MERGE);
        assertThat(plan.sinks().get(0).keepColumns()).isTrue();
    }

    @Test
    void writeOptionsOfConnectionsAndCallAreOne() {
        Plan plan = plan("""
                === connections.yml
                lake:
                  connector: duckdb
                  path: x
                  entities:
                    main.t:
                      write: {strategy: merge, keys: [a, b]}
                === pipelines/p.sql
                INSERT INTO {{ sink('lake', 't', order_by: 'c') }} SELECT 1
                """);
        SinkNode sink = plan.sinks().get(0);
        assertThat(sink.id()).isEqualTo("lake.main.t");
        assertThat(sink.keys()).containsExactly("a", "b");
        assertThat(sink.orderBy()).isEqualTo(Optional.of("c"));
    }

    @Test
    void mergesMayShareATable() {
        Plan plan = plan(CONNECTIONS
                + "=== pipelines/a.sql\nINSERT INTO {{ sink('lake', 't', keys: ['id']) }} SELECT 1 AS id\n"
                + "=== pipelines/b.sql\nINSERT INTO {{ sink('lake', 't', keys: ['id']) }} SELECT 2 AS id\n");
        assertThat(plan.pipelines()).hasSize(2);
    }

    private Plan three() {
        return plan(CONNECTIONS + """
                === pipelines/a.sql
                INSERT INTO {{ sink('lake', 'a', strategy: 'replace') }} SELECT * FROM {{ source('pg', 'orders') }}
                === pipelines/b.sql
                INSERT INTO {{ sink('lake', 'b', strategy: 'replace') }} SELECT * FROM {{ source('pg', 'items') }}
                === pipelines/c.sql
                INSERT INTO {{ sink('pg', 'c', strategy: 'replace') }} SELECT * FROM {{ source('lake', 'x') }}
                """);
    }

    @Test
    void aSelectionKeepsWhatItUsesAndWritesWhatItWrites() {
        Plan all = three();
        assertThat(Selection.everything().in(all, NOW)).isEqualTo(all);
        Plan selected = Selection.of("c").in(all, NOW);
        assertThat(selected.pipelines()).extracting(PipelineNode::name).containsExactly("c");
        assertThat(selected.sources()).extracting(SourceNode::key).containsExactly("lake.x");
        assertThat(selected.connection("lake").settings().written()).isFalse();
        assertThat(selected.connection("pg").settings().written()).isTrue();
        assertThat(Selection.of("b", "a", "b").in(all, NOW).pipelines())
                .extracting(PipelineNode::name)
                .containsExactly("a", "b");
    }

    @Test
    void nothingSelectedIsRefusedUnlessThereIsOnePipeline() {
        Plan all = three();
        assertThatThrownBy(() -> Selection.of().in(all, NOW))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("WR0208")
                .hasMessageContaining("--all")
                .hasMessageContaining("a, b, c");
        Plan one = Selection.of("a").in(all, NOW);
        assertThat(Selection.of().in(one, NOW)).isEqualTo(one);
    }

    @Test
    void unknownNamesAreAllToldWithTheNearest() {
        Plan all = three();
        assertThatThrownBy(() -> Selection.of("A", "nope", "b").in(all, NOW))
                .isInstanceOfSatisfying(
                        UsageException.class, e -> assertThat(e.faults()).hasSize(2))
                .hasMessageContaining("did you mean 'a'?")
                .hasMessageContaining("'nope'");
        assertThatThrownBy(() -> new Selection(List.of("a"), true).in(all, NOW)).hasMessageContaining("WR0208");
    }

    @Test
    void aProjectWithoutPipelinesSaysWhereTheyGo() {
        Plan none = plan(CONNECTIONS);
        assertThatThrownBy(() -> Selection.everything().in(none, NOW)).hasMessageContaining("pipelines/NAME.sql");
    }

    @Test
    void aKeyFindsItsSourceByFullAndShortName() {
        Plan plan = plan(
                CONNECTIONS
                        + "=== pipelines/p.sql\nINSERT INTO {{ sink('lake', 'o', strategy: 'append') }} SELECT * FROM "
                        + "{{ source('pg', 'orders') }}, {{ source('pg', 'a.t') }}, {{ source('pg', 'b.t') }}, {{ source('pg', '\"x.y\"') }}");
        assertThat(Keys.resolve(plan, "pg.orders").key()).isEqualTo("pg.public.orders");
        assertThat(Keys.resolve(plan, "pg.public.orders").key()).isEqualTo("pg.public.orders");
        assertThat(Keys.resolve(plan, "pg.\"x.y\"").key()).isEqualTo("pg.\"x.y\"");
        assertThatThrownBy(() -> Keys.resolve(plan, "pg.t"))
                .hasMessageContaining("WR0204")
                .hasMessageContaining("pg.a.t, pg.b.t");
        assertThatThrownBy(() -> Keys.resolve(plan, "pg.ordres"))
                .hasMessageContaining("WR0203")
                .hasMessageContaining("known: ");
        for (String odd : List.of("", "pg", "pg.", "pg..", "pg.\"", "lake.orders", ".orders")) {
            assertThatThrownBy(() -> Keys.resolve(plan, odd)).isInstanceOf(UsageException.class);
        }
    }

    @Test
    void secretsAreFoundInAProjectFullOfProblems() {
        ProjectFolder folder =
                ProjectFolder.of(dir, """
                        === connections.yml
                        a: {connector: postgres, password: "pass one", ssl_key: key1, host: shown}
                        b: {connector: nobody, password: pass2, ssl_key: key2}
                        c: {password: "${P}", token: "${T}", x: [1]}
                        d: {connector: duckdb, password: pass4, path: /data/x}
                        === weir.yml
                        secrets: [T]
                        """).environment("P", "$RvePwd01").environment("T", "t0ken");
        Project project = folder.load();
        Planner.plan(project, KnownConnector.ALL, folder.problems());
        assertThat(folder.problems().isEmpty()).isFalse();
        Redactor redactor = Secrets.redactor(project, KnownConnector.ALL);
        for (String secret : List.of("pass one", "pass+one", "key1", "pass2", "key2", "$RvePwd01", "t0ken", "pass4")) {
            assertThat(redactor.redact("<" + secret + ">")).isEqualTo("<***>");
        }
        assertThat(redactor.redact("shown /data/x")).isEqualTo("shown /data/x");
    }

    @Test
    void noRecordThatMayHoldASecretPrintsIt() {
        Plan plan = plan("""
                === connections.yml
                pg: {connector: postgres, host: h, database: d, user: u, password: hunter2}
                === pipelines/p.sql
                INSERT INTO {{ sink('pg', 't', strategy: 'append') }} SELECT 1
                """);
        assertThat(plan.toString()).doesNotContain("hunter2");
    }
}
