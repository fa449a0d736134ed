package dev.weir.connector.postgres;

/**
 * What the bytes of a binary value must look like, so that whoever decodes them never leaves them.
 *
 * <p>Source of the formats: PostgreSQL, the {@code _send} functions of its types.
 */
enum Form {
    ONE(1),
    TWO(2),
    FOUR(4),
    EIGHT(8),
    TWELVE(12),
    SIXTEEN(16),
    /** Any bytes. */
    BYTES {
        @Override
        boolean holds(byte[] data, int at, int length) {
            return true;
        }
    },
    /** Bytes after one that tells the format. */
    VERSIONED {
        @Override
        boolean holds(byte[] data, int at, int length) {
            return length >= 1;
        }
    },
    NUMERIC {
        @Override
        boolean holds(byte[] data, int at, int length) {
            return Numerics.isWhole(data, at, length);
        }
    },
    /** A count of bits, and the bytes that hold them. */
    BITS {
        @Override
        boolean holds(byte[] data, int at, int length) {
            return length >= 4 && Binary.getInt(data, at) >= 0 && length - 4 == (Binary.getInt(data, at) + 7L) / 8;
        }
    },
    /** A header at least; the rest is looked at on the way through it, see {@link ArrayDecoder}. */
    ARRAY {
        @Override
        boolean holds(byte[] data, int at, int length) {
            return length >= ArrayDecoder.HEADER;
        }
    };

    private static final int VARIES = -1;

    private final int width;

    Form() {
        this(VARIES);
    }

    Form(int width) {
        this.width = width;
    }

    /** How many bytes every value has; negative: that varies. */
    int width() {
        return width;
    }

    /** Whether a value keeps within its bytes. */
    boolean fits(byte[] data, int at, int length) {
        return length == width || width == VARIES && holds(data, at, length);
    }

    /** As {@link #fits}, for a form of varying width. */
    boolean holds(byte[] data, int at, int length) {
        return false;
    }
}
