package dev.weir.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.plan.Plan;
import dev.weir.run.PlanLook;
import dev.weir.run.PlanLook.Standing;
import dev.weir.slicing.ChunkStatus;
import dev.weir.slicing.Spelling;
import dev.weir.state.BackfillRecord;
import dev.weir.state.BackfillSummary;
import dev.weir.state.StateStore;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir backfill list}. */
@Command(
        name = "list",
        description = {
            "Lists the newest backfills, and how far they are.",
            "By state's word; the sinks decide when one runs again. A chunk that was under way in a process that is gone"
                    + " counts as interrupted."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir backfill list                      the newest 20",
            "  weir backfill list --limit 200 --json   for a program: one JSON object a line"
        })
final class BackfillListCommand implements Callable<Integer> {

    private static final int NEWEST = 20;

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ProjectOptions project;

    @Option(names = "--limit", paramLabel = "N", description = "How many (default: " + NEWEST + ").")
    private int limit = NEWEST;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    BackfillListCommand(Console console) {
        this.console = console;
    }

    /** A plan, how many of its chunks stand how, and the rows that they loaded. */
    private record Row(BackfillRecord plan, Map<Standing, Integer> counts, long records) {}

    @Override
    public Integer call() {
        Subcommands.refuseAnythingBefore(
                spec,
                "weir backfill list --project DIR; for a pipeline of that name: weir backfill --from F --to T -- list");
        if (limit < 1) {
            throw new ParameterException(spec.commandLine(), "--limit is at least 1, not " + limit);
        }
        Plan plan = project.plan(console);
        Optional<StateStore> opened = StateStore.openForReading(plan.dir().resolve(".weir"), console.clock());
        try {
            List<Row> rows = opened.map(state -> rows(state, plan.project())).orElse(List.of());
            rows.forEach(row ->
                    console.out().println(json ? json(row) : console.redactor().redact(text(row))));
            if (rows.isEmpty() && !json) {
                console.out().println("no backfills yet");
            }
        } finally {
            opened.ifPresent(StateStore::close);
        }
        return 0;
    }

    private List<Row> rows(StateStore state, String name) {
        return state.backfills().list(name, limit).stream()
                .map(summary -> row(state, summary))
                .toList();
    }

    /** Whether those who work on chunks still live is asked where any are said to. */
    private static Row row(StateStore state, BackfillSummary summary) {
        Map<Standing, Integer> counts = new EnumMap<>(Standing.class);
        if (summary.count(ChunkStatus.CLAIMED) + summary.count(ChunkStatus.RUNNING) > 0) {
            PlanLook look = PlanLook.of(state, summary.plan());
            for (Standing standing : Standing.values()) {
                counts.put(standing, look.count(standing));
            }
            return new Row(summary.plan(), counts, look.recordsLoaded());
        }
        counts.put(Standing.COMPLETED, summary.count(ChunkStatus.COMPLETED));
        counts.put(Standing.RUNNING, 0);
        counts.put(Standing.FAILED, summary.count(ChunkStatus.FAILED));
        counts.put(Standing.INTERRUPTED, 0);
        counts.put(Standing.PENDING, summary.count(ChunkStatus.PENDING));
        return new Row(summary.plan(), counts, summary.recordsLoaded());
    }

    private static String text(Row row) {
        BackfillRecord plan = row.plan();
        List<String> counts = new ArrayList<>();
        counts.add(row.counts().get(Standing.COMPLETED) + " of " + plan.chunks() + " completed");
        for (Standing standing : List.of(Standing.RUNNING, Standing.FAILED, Standing.INTERRUPTED, Standing.PENDING)) {
            if (row.counts().get(standing) > 0) {
                counts.add(row.counts().get(standing) + " " + standing);
            }
        }
        return plan.backfillId() + "  " + plan.createdAt().truncatedTo(ChronoUnit.SECONDS) + "  " + plan.pipeline()
                + "  [" + Spelling.of(plan.from()) + " → " + Spelling.of(plan.to()) + ")  " + plan.chunk() + "  "
                + String.join(", ", counts) + "  " + row.records() + (row.records() == 1 ? " row" : " rows")
                + (plan.into() == null ? "" : "  into " + plan.into());
    }

    private String json(Row row) {
        ObjectNode node = new BackfillJson(console.redactor()).plan(row.plan());
        BackfillJson.addCounts(node, row.counts(), row.records());
        return node.toString();
    }
}
