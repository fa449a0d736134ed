package dev.weir.event;

/** How much in how much time, older amounts counting less and less. Used by one thread at a time. */
final class Speed {

    private static final double MEMORY_SECONDS = 15;

    private double amount;
    private double seconds;

    /** @param time the seconds that it took */
    void add(double more, double time) {
        double kept = Math.exp(-time / MEMORY_SECONDS);
        amount = amount * kept + more;
        seconds = seconds * kept + time;
    }

    /** 0 while nothing is known. */
    double perSecond() {
        return seconds > 0 ? amount / seconds : 0;
    }
}
