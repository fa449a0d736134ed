package dev.weir.fault;

import java.util.Locale;

/**
 * The error codes. A number never changes its meaning and is never used again for another.
 *
 * <p>The first two digits tell who is at fault: 01 the configuration and the environment, 02 and 03 the pipelines, 05 a
 * run. Source of the numbers: contract, section 7.
 */
public enum Code {
    /** connections.yml or weir.yml cannot be read as YAML, or has a wrong shape. */
    MALFORMED_FILE(101),
    /** A key no part of weir knows, or one this version does not support yet. */
    UNKNOWN_KEY(102),
    DUPLICATE_KEY(103),
    MISSING_KEY(104),
    /** A value its key cannot take. */
    BAD_VALUE(105),
    UNSET_VARIABLE(106),
    UNKNOWN_CONNECTOR(107),
    /** No project in the folder, or a file of it is missing. */
    NO_PROJECT(108),
    /** A key or a value this version does not support yet. */
    NOT_SUPPORTED(109),

    /** A template call in a pipeline that cannot be read. */
    BAD_TEMPLATE(201),
    UNKNOWN_CONNECTION(202),
    UNKNOWN_ENTITY(203),
    AMBIGUOUS_ENTITY(204),
    /** The same option in connections.yml and in the call. */
    OPTION_TWICE(205),
    UNKNOWN_OPTION(206),
    NO_SINK(207),
    /** Nothing selected, or a name that selects nothing. */
    BAD_SELECTION(208),
    MERGE_WITHOUT_KEYS(209),
    BAD_STRATEGY(210),
    KEYS_WITHOUT_MERGE(211),
    /** Two pipelines on a table that belongs to one. */
    SHARED_SINK(212),
    /** A {@code sync} block that contradicts itself or its cursor's type. */
    BAD_WINDOW(213),
    INCREMENTAL_INTO_APPEND(214),
    /** The pipeline's SQL does not parse or bind. */
    BAD_SQL(215),
    NEEDS_INCREMENTAL(216),
    UNKNOWN_PIPELINE(217),
    /** Pipelines that read each other in a circle. */
    CYCLE(218),
    INCREMENTAL_INTO_REPLACE(335),
    NEEDS_MORE_THAN_A_SLICE(337),

    SOURCE(501),
    SQL(502),
    SINK(503),
    CURSOR_CHANGED(505),
    /** An attempt took longer than the {@code timeout} of its connection. */
    TIMED_OUT(506),
    /** Nothing is asked of a connection that has failed several times in a row. */
    BREAKER_OPEN(507),
    STATE(518),
    HELD_ELSEWHERE(520),
    NULL_KEY(521),
    DUPLICATE_KEYS(522),
    LOSSY_SINK(523),
    UNREPRESENTABLE(524),
    /** A NULL cursor in a source whose {@code sync} block says {@code nulls: fail}. */
    NULL_CURSOR(525),
    /** A source that cannot tell of open transactions, whose {@code sync} block says {@code settle: required}. */
    CANNOT_SETTLE(526),
    STATE_NOT_WRITTEN(527),
    SINK_AND_MARK_DISAGREE(528),
    BACK_IN_APPEND(529),
    /** It was interrupted. */
    CANCELLED(530),

    /** A backfill without a source that its bounds could scope, or with cursors of different types. */
    NO_SCOPE(601),
    /** A slice or chunk into an append sink that overlaps what was loaded before. */
    WOULD_DOUBLE(602),
    /** Bounds, a window or a time zone no plan can be made of. */
    BAD_BACKFILL(603),
    /** A plan that exists with other inputs. */
    OTHER_INPUTS(604),
    /** A plan that must exist and does not, or the other way round. */
    PLAN_EXISTENCE(605),
    /** A token that nothing stands for here. */
    BAD_TOKEN(606),
    /** Something that cannot happen has happened: a bug in weir. */
    INTERNAL(599);

    private final int number;

    Code(int number) {
        this.number = number;
    }

    /** The code as users see it: {@code WR0213}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "WR%04d", number);
    }
}
