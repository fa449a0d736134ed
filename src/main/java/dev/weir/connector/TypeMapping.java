package dev.weir.connector;

import java.util.Optional;

/**
 * What a type of a system is read as.
 *
 * @param systemType as the system spells it, with a length or precision where one decides: {@code numeric(12,2)}
 * @param weirType the DuckDB type its values have in weir, as DuckDB prints it; empty: it is not read
 * @param note what a reader must know beside it, one phrase for a cell of a table; empty: nothing
 */
public record TypeMapping(String systemType, Optional<String> weirType, String note) {}
