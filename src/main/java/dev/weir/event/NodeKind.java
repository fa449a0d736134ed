package dev.weir.event;

/** What a node does. */
public enum NodeKind {
    SOURCE_LOAD("SourceLoad"),
    PIPELINE("Pipeline"),
    SINK_WRITE("SinkWrite");

    private final String text;

    NodeKind(String text) {
        this.text = text;
    }

    /** As events spell it: {@code SourceLoad}. */
    @Override
    public String toString() {
        return text;
    }
}
