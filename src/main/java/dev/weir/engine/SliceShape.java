package dev.weir.engine;

import java.util.List;
import java.util.Set;

/**
 * Whether a pipeline's SELECT gives the same rows slice by slice as over all rows at once.
 *
 * <p>It does where there is no finding. A finding may be wrong about SQL that happens to be right for the rows at hand; what
 * weir does not know is a finding, never silence. Source of the rule: contract, section 2.3.
 *
 * @param reads the incremental relations it reads, anywhere
 * @param findings what needs more than one slice, in the order of the text
 */
public record SliceShape(Set<String> reads, List<Finding> findings) {

    /**
     * One thing that needs more than one slice.
     *
     * @param place {@code file:line:column}; the file alone where the parse tree does not say more
     * @param reason as a sentence: {@code count() is an aggregate above src_pg__orders}
     */
    public record Finding(String place, String reason) {}

    public SliceShape {
        reads = Set.copyOf(reads);
        findings = List.copyOf(findings);
    }
}
