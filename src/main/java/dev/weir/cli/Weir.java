package dev.weir.cli;

/** Starts weir. */
public final class Weir {
    private Weir() {}

    public static void main(String[] args) {
        System.out.println("weir");
    }
}
