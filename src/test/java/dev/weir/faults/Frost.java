package dev.weir.faults;

import dev.weir.testing.FaultyWire.Fate;
import dev.weir.testing.FaultyWire.Message;
import dev.weir.testing.FaultyWire.Plan;
import java.util.concurrent.CountDownLatch;

/** From when it begins nothing goes through any more, while connections stay open and new ones are taken. */
final class Frost implements Plan, AutoCloseable {

    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean begun;

    void begins() {
        begun = true;
    }

    @Override
    public Fate of(Message message) {
        if (begun) {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return Fate.PASSES;
    }

    @Override
    public void close() {
        over.countDown();
    }
}
