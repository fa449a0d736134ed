package dev.weir.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CancellationTest {

    private final Cancellation cancellation = new Cancellation();

    @Test
    void anActionThatDoesNotEndHoldsUpNeitherTheOthersNorTheCaller() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch reached = new CountDownLatch(2);
        for (int i = 0; i < 3; i++) {
            boolean hangs = i == 1;
            cancellation.onCancel(() -> {
                if (hangs) {
                    awaitQuietly(never);
                }
                reached.countDown();
            });
        }

        cancellation.cancel();

        assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();
        never.countDown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatComesAfterTheCancellationIsCancelledBeforeItIsUsed() {
        AtomicBoolean done = new AtomicBoolean();
        cancellation.cancel();

        cancellation.onCancel(() -> done.set(true));

        assertThat(done).isTrue();
    }

    @Test
    void anActionThatWasForgottenIsNotRun() throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch other = new CountDownLatch(1);
        cancellation.onCancel(() -> done.set(true)).close();
        cancellation.onCancel(other::countDown);

        cancellation.cancel();

        assertThat(other.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(done).isFalse();
    }

    @Test
    void aPauseEndsWithTheCancellation() {
        cancellation.cancel();

        assertThatThrownBy(() -> cancellation.pause(Duration.ofHours(1)))
                .isInstanceOf(Cancellation.CancelledException.class);
    }
}
