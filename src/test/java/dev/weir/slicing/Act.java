package dev.weir.slicing;

import java.math.BigInteger;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One thing that happens to a {@link World}. */
sealed interface Act {

    /** Sinks are chosen by bits and by index modulo their number, so that an act fits any world. */
    int BITS = 8;

    void on(World world, Memory memory);

    /** What was kept of earlier moments: a backup of state, and one of each sink. */
    final class Memory {
        private @Nullable Map<String, Position> state;
        private final ModelSink.@Nullable Content[] sinks = new ModelSink.Content[BITS];
    }

    /** An invocation of some sinks, disturbed. */
    record Run(int sinks, int diesAt, List<Integer> failing, long window, boolean refresh) implements Act {
        @Override
        public void on(World world, Memory memory) {
            Set<String> selected = new LinkedHashSet<>();
            List<ModelSink> all = world.sinks();
            for (int i = 0; i < all.size(); i++) {
                if ((sinks >> i & 1) == 1) {
                    selected.add(all.get(i).name());
                }
            }
            if (selected.isEmpty()) {
                return;
            }
            Shape shape = world.shape();
            BigInteger units = shape.column().grain().multiply(BigInteger.valueOf(window));
            Sync sync = window == 0
                    ? shape.sync()
                    : shape.windowed(new Step(shape.column().type(), units));
            World.Disturbance disturbance = new World.Disturbance(diesAt, failing);
            try {
                if (refresh) {
                    world.refresh(selected, sync, disturbance);
                } else {
                    world.run(selected, sync, disturbance);
                }
            } catch (World.Died died) {
                // The next act finds what was committed.
            }
        }
    }

    /** state.db is lost. */
    record LoseState() implements Act {
        @Override
        public void on(World world, Memory memory) {
            world.restoreState(Map.of());
        }
    }

    record BackUpState() implements Act {
        @Override
        public void on(World world, Memory memory) {
            memory.state = world.state();
        }
    }

    record RestoreState() implements Act {
        @Override
        public void on(World world, Memory memory) {
            if (memory.state != null) {
                world.restoreState(memory.state);
            }
        }
    }

    record BackUpSink(int sink) implements Act {
        @Override
        public void on(World world, Memory memory) {
            int index = sink % world.sinks().size();
            memory.sinks[index] = world.sinks().get(index).content();
        }
    }

    /** Rows and mark are put back together; a sink without marks cannot be, since nothing would tell. */
    record RestoreSink(int sink) implements Act {
        @Override
        public void on(World world, Memory memory) {
            int index = sink % world.sinks().size();
            ModelSink.Content snapshot = memory.sinks[index];
            if (snapshot != null && world.sinks().get(index).keepsMarks()) {
                world.sinks().get(index).restore(snapshot);
            }
        }
    }

    /** The table is dropped or emptied by somebody else. */
    record LoseRows(int sink, boolean gone) implements Act {
        @Override
        public void on(World world, Memory memory) {
            ModelSink chosen = world.sinks().get(sink % world.sinks().size());
            if (chosen.keepsMarks() && !chosen.content().isEmpty()) {
                chosen.loseRows(gone);
            }
        }
    }

    /** An operator's {@code state set} or, without a value, {@code state clear}. */
    record Edit(@Nullable Long grains, boolean reachable) implements Act {
        @Override
        public void on(World world, Memory memory) {
            world.edit(grains == null ? null : world.shape().at(grains), reachable);
        }
    }

    record Arrive(long grains) implements Act {
        @Override
        public void on(World world, Memory memory) {
            world.arrive(grains);
        }
    }

    /** Time passes, or the clock steps back. */
    record Clock(long grains) implements Act {
        @Override
        public void on(World world, Memory memory) {
            world.clock(grains);
        }
    }
}
