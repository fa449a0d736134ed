package dev.weir.cli;

import dev.weir.plan.Selection;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is meant by a run, or by a plan of one. */
final class SelectionOptions {

    @Parameters(
            paramLabel = "PIPELINE",
            arity = "0..*",
            description = "The pipelines that are meant; none is needed in a project with one.")
    private List<String> pipelines = new ArrayList<>();

    @Option(names = "--all", description = "Take all pipelines.")
    private boolean all;

    @Option(
            names = "--select",
            paramLabel = "EXPR",
            split = ",",
            splitSynopsisLabel = ",",
            description =
                    "Take what this selects; several times, or with commas. NAME: a pipeline; +NAME: with those it"
                            + " reads; NAME+: with those that read it; source:KEY: what reads an entity; sink:KEY: what writes one.")
    private List<String> expressions = new ArrayList<>();

    Selection selection() {
        List<String> terms = new ArrayList<>(pipelines);
        terms.addAll(expressions);
        return new Selection(terms, all);
    }
}
