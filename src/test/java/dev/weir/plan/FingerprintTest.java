package dev.weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.project.ProjectFolder;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a plan is known again by. Source of the rule: contract, section 6. */
class FingerprintTest {

    private static final String SECRET = "hunter2hunter2";

    private static final String PROJECT = """
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
                    sync: { mode: incremental, cursor: at, max_window: 1d, until: now }
                rates:
                  read:
                    query: SELECT * FROM rates WHERE token = '${PASS}' AND day >= '${backfill.start_date}'
            lake: {connector: duckdb, path: lake.duckdb}
            staging: {connector: duckdb, path: staging.duckdb}
            === weir.yml
            vars: { least: 5 }
            === pipelines/above.sql
            SELECT * FROM {{ source('pg', 'orders') }} WHERE note <> {{ env('PASS') }} AND amount > {{ var('least') }}
            === pipelines/p.sql
            INSERT INTO {{ sink('lake', 'out', strategy: 'merge', keys: ['id']) }}
            SELECT * FROM {{ ref('above') }} JOIN {{ source('pg', 'rates') }} USING (day)
            === pipelines/other.sql
            INSERT INTO {{ sink('lake', 'other', strategy: 'merge', keys: ['id']) }}
            SELECT 1 AS id
            """;

    @TempDir
    private Path dir;

    private Fingerprint fingerprint(String project, @Nullable String cursor, @Nullable String into) {
        ProjectFolder folder = ProjectFolder.of(dir, project).environment("PASS", SECRET);
        Plan plan = Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
        assertThat(ProjectFolder.printed(folder.problems())).isEmpty();
        return Fingerprint.of(Scoping.of(plan, "p", cursor, into));
    }

    private Fingerprint with(String from, String to) {
        assertThat(PROJECT).contains(from);
        return fingerprint(PROJECT.replace(from, to), null, null);
    }

    @Test
    void whatRowsDependOnMakesAnotherOne() {
        Set<String> hashes = new HashSet<>();
        hashes.add(fingerprint(PROJECT, null, null).sha256());
        hashes.add(fingerprint(PROJECT, "id", null).sha256());
        hashes.add(fingerprint(PROJECT, null, "staging").sha256());
        hashes.add(with("least: 5", "least: 6").sha256());
        hashes.add(with("note <>", "note =").sha256());
        hashes.add(with("JOIN", "LEFT JOIN").sha256());
        hashes.add(with("'merge', keys: ['id']", "'merge', keys: ['id', 'day']").sha256());
        hashes.add(with("keys: ['id']) }}\nSELECT *", "keys: ['id'], order_by: 'id') }}\nSELECT *")
                .sha256());
        hashes.add(with("keys: ['id']) }}\nSELECT *", "keys: ['id'], keep_columns: true) }}\nSELECT *")
                .sha256());
        hashes.add(with("keys: ['id']) }}\nSELECT *", "keys: ['id'], delete_when: 'id > 7') }}\nSELECT *")
                .sha256());
        hashes.add(with("id: bigint, ", "").sha256());
        hashes.add(with("start_date}'", "start}'").sha256());
        hashes.add(with("token =", "token <>").sha256());
        hashes.add(with("cursor: at, max_window: 1d, until: now", "cursor: id").sha256());

        assertThat(hashes).hasSize(14).allMatch(hash -> hash.matches("[0-9a-f]{64}"));
    }

    @Test
    void whatRowsDoNotDependOnMakesNone() {
        String hash = fingerprint(PROJECT, null, null).sha256();

        assertThat(fingerprint(PROJECT, null, null).sha256()).isEqualTo(hash);
        assertThat(with("max_window: 1d", "max_window: 2d").sha256()).isEqualTo(hash);
        assertThat(with("'other'", "'another'").sha256()).isEqualTo(hash);
        assertThat(with("host: h", "host: elsewhere").sha256()).isEqualTo(hash);
        assertThat(with("INSERT INTO {{ sink('lake', 'out', ", "INSERT INTO\n  {{ sink('lake', 'out',   ")
                        .sha256())
                .isEqualTo(hash);
    }

    @Test
    void aTokenIsNotTheTextThatLooksLikeIt() {
        String hash = fingerprint(PROJECT, "at", null).sha256();
        String escaped = PROJECT.replace("'${backfill", "'$${backfill");

        assertThat(fingerprint(escaped, "at", null).sha256()).isNotEqualTo(hash);
    }

    @Test
    void theDifferenceIsToldAndNoSecretIsKept() {
        Fingerprint before = fingerprint(PROJECT, null, null);
        Fingerprint now = with("'merge', keys: ['id']) }}\nSELECT *", "'merge', keys: ['day']) }}\nSELECT *");

        List<String> differences = now.differences(before.inputs());
        assertThat(differences).hasSize(1);
        assertThat(differences.get(0))
                .startsWith("sink lake.out: merge keys=[id] order_by=the cursor")
                .contains(" before, merge keys=[day] ")
                .endsWith(" now");
        assertThat(before.differences(before.inputs())).isEmpty();
        assertThat(fingerprint(PROJECT, null, "staging").differences(before.inputs()))
                .anyMatch(line -> line.startsWith("sink staging.out: not there before, merge"))
                .anyMatch(line -> line.startsWith("sink lake.out: merge") && line.endsWith("not there now"));
        assertThat(before.inputs().toString()).doesNotContain(SECRET).contains("env('PASS')", "cursor of pg.orders");
        assertThat(before.inputs().keySet())
                .containsExactlyElementsOf(now.inputs().keySet());
    }
}
