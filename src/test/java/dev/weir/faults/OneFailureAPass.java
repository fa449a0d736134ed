package dev.weir.faults;

import dev.weir.testing.FaultyWire.Fate;
import dev.weir.testing.FaultyWire.Message;
import dev.weir.testing.FaultyWire.Plan;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets each pass of a loop meet one failure, each at another message.
 *
 * <p>A message is found by the turn of the talk it is in and its place there: servers add a notice now and then, and never
 * a turn.
 */
final class OneFailureAPass implements Plan {

    /**
     * Where a message stands in the talk of a pass.
     *
     * @param turn from 1; another begins whenever the other side speaks
     * @param place in the turn, from 1
     */
    record Spot(int turn, int place) {}

    /**
     * A failure that a pass is to meet.
     *
     * @param fate of the message
     */
    record Failure(Spot spot, Fate fate) {}

    private final int before;
    private final List<Failure> failures;
    private final List<Failure> met = new ArrayList<>();
    private final List<Spot> seen = new ArrayList<>();
    private int pass;
    private int turn;
    private int place;
    private boolean toServer;

    /** @param before how many passes are left alone first */
    OneFailureAPass(int before, List<Failure> failures) {
        this.before = before;
        this.failures = List.copyOf(failures);
    }

    synchronized void passBegins() {
        pass++;
        turn = 0;
        place = 0;
        seen.clear();
    }

    @Override
    public synchronized Fate of(Message message) {
        boolean sameTurn = turn > 0 && message.toServer() == toServer;
        toServer = message.toServer();
        turn += sameTurn ? 0 : 1;
        place = sameTurn ? place + 1 : 1;
        Spot spot = new Spot(turn, place);
        seen.add(spot);
        int due = pass - before - 1;
        if (due < 0 || due >= failures.size() || !failures.get(due).spot().equals(spot)) {
            return Fate.PASSES;
        }
        met.add(failures.get(due));
        return failures.get(due).fate();
    }

    /** The failures that were met. */
    synchronized List<Failure> met() {
        return List.copyOf(met);
    }

    /** Every message of the pass that is under way, or was the last one. */
    synchronized List<Spot> seen() {
        return List.copyOf(seen);
    }
}
