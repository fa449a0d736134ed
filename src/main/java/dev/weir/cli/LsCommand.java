package dev.weir.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir ls}. */
@Command(
        name = "ls",
        description = {
            "Lists connections, entities, and pipelines with what they read and write.",
            "From the project's files alone: nothing is connected to. Secrets are left out."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir ls                         this project",
            "  weir ls --json                  for a program: one JSON object",
            "  weir ls --project my-project    another one"
        })
final class LsCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private ProjectOptions project;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    LsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        ProjectOptions.Loaded loaded = project.load(console);
        Inventory inventory =
                new Inventory(loaded.project(), loaded.plan(), Connectors.all(console.clock()), console.redactor());
        if (json) {
            console.out().println(inventory.json());
        } else {
            InventoryText.of(inventory.json()).forEach(console.out()::println);
        }
        return 0;
    }
}
