package dev.weir.project;
import java.util.Optional;
import dev.weir.slicing.Resumption;
public record BackfillDefaults(Optional<String> window, int concurrency, Optional<String> timezone, Resumption.OnExisting onExisting) {}
