package dev.weir.event;

/**
 * What a terminal may be sent beyond plain text.
 *
 * @param colours whether words and bars are coloured
 * @param unicode whether it shows more than ASCII: bars of lines, arrows, an ellipsis
 */
public record TerminalLook(boolean colours, boolean unicode) {}
