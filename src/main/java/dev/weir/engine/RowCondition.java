package dev.weir.engine;

import static dev.weir.connector.DuckSession.quoted;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.connector.Column;
import dev.weir.connector.Staged;
import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A condition on one row of a pipeline's output, as its author wrote it, and the rows it is true for.
 *
 * <p>Source of the rule: contract, section 2.2.
 */
final class RowCondition {

    /** Columns of a table alone: no {@code rowid}, which is not the author's. */
    private static final String OUTPUT = " AS output";

    /** What stands for other things than a value of the row, by its class in the parse tree. */
    private static final Map<String, String> REFUSED = Map.of(
            "SUBQUERY", "a subquery",
            "WINDOW", "a window function",
            "STAR", "a star",
            "PARAMETER", "a parameter",
            "POSITIONAL_REFERENCE", "a column by its number",
            "DEFAULT", "DEFAULT");

    private final Statements statements;
    private final Staging staging;

    RowCondition(Statements statements, Staging staging) {
        this.statements = statements;
        this.staging = staging;
    }

    /** Refuses what is not one condition on one row, as far as that needs no columns. */
    void parse(Connection connection, String place, String condition) {
        try {
            JsonNode tree = ParseTree.of(connection, "SELECT " + inParentheses(condition));
            Optional<SqlError> error = ParseTree.error(tree);
            if (error.isPresent()) {
                throw refused(place, error.get().message(), condition);
            }
            JsonNode query = tree.path("statements").path(0).path("node");
            boolean one = tree.path("statements").size() == 1
                    && query.path("select_list").size() == 1
                    && query.path("from_table").path("type").asText().equals("EMPTY")
                    && ParseTree.others(query, "select_list", "from_table", "cte_map", "aggregate_handling")
                            .isEmpty();
            if (!one) {
                throw refused(place, "it is more than one condition", condition);
            }
            Set<String> classes = query.path("select_list").findValues("class").stream()
                    .map(JsonNode::asText)
                    .collect(Collectors.toSet());
            REFUSED.forEach((kind, what) -> {
                if (classes.contains(kind)) {
                    throw refused(place, "it holds " + what, condition);
                }
            });
        } catch (SQLException e) {
            throw refused(place, SqlError.of(e).message(), condition);
        }
    }

    /** Refuses, beyond {@link #parse}, what is no condition on these columns. Runs nothing. */
    void bind(Connection connection, String place, String condition, List<Column> columns) {
        parse(connection, place, condition);
        String from = " FROM (" + Staging.noRows(columns) + ")" + OUTPUT;
        try (PreparedStatement asCondition = connection.prepareStatement("SELECT count(*)" + from + where(condition));
                PreparedStatement asValue = connection.prepareStatement("SELECT " + inParentheses(condition) + from)) {
            // Where a WHERE takes it, it looks at one row.
            asCondition.getMetaData();
            String type = asValue.getMetaData().getColumnTypeName(1);
            if (!type.equals("BOOLEAN")) {
                throw new UsageException(
                        Code.BAD_STRATEGY,
                        place,
                        "delete_when is to be true or false, and " + condition.strip() + " is "
                                + (type.contains("NULL") ? "NULL" : "of type " + type),
                        "write a condition, as in delete_when: 'status = 9'");
            }
        } catch (SQLException e) {
            if (statements.isCancelled()) {
                throw DuckErrors.cancelled(place, e);
            }
            throw refused(place, SqlError.of(e).message(), condition);
        }
    }

    private static UsageException refused(String place, String why, String condition) {
        return new UsageException(
                Code.BAD_SQL,
                place,
                "delete_when cannot be '" + condition.strip() + "': " + why,
                "write one condition on one row of the SELECT's output, as in delete_when: 'is_deleted'");
    }

    /**
     * Parts rows by the condition, which is asked once of each; NULL counts as false.
     *
     * @param place what an error names
     * @param columns the columns that are needed of the rows it is true for
     * @param keptId where the other rows are kept, if any are parted
     * @param goneId where the rows it is true for are kept, if there are any
     */
    Parted part(
            Connection connection,
            String place,
            Staged rows,
            String condition,
            List<String> columns,
            String keptId,
            String goneId) {
        List<String> all = rows.columns().stream().map(Column::name).toList();
        String from = " FROM (SELECT " + list(all) + " FROM " + rows.relation() + ")" + OUTPUT;
        String markedId = goneId + " marked";
        try {
            if (count(connection, "SELECT count(*)" + from + where(condition)) == 0) {
                return new Parted(rows, Optional.empty());
            }
            String isGone = quoted(unused(all));
            Staged marked = staging.run(
                    connection,
                    markedId,
                    "SELECT *, coalesce(" + inParentheses(condition) + ", false) AS " + isGone + from);
            String those = " FROM " + marked.relation() + " WHERE ";
            Staged kept = staging.run(connection, keptId, "SELECT " + list(all) + those + "NOT " + isGone);
            Staged gone = staging.run(connection, goneId, "SELECT " + list(columns) + those + isGone);
            staging.drop(connection, markedId);
            if (kept.rows() + gone.rows() != rows.rows()) {
                throw DuckErrors.internal(
                        place,
                        rows.rows() + " rows were parted by delete_when into " + kept.rows() + " and " + gone.rows());
            }
            return new Parted(kept, Optional.of(gone));
        } catch (SQLException e) {
            throw DuckErrors.ofPipeline(place, "delete_when: " + DuckErrors.message(e), e);
        }
    }

    private long count(Connection connection, String select) throws SQLException {
        return statements.use(connection, statement -> {
            try (ResultSet result = statement.executeQuery(select)) {
                result.next();
                return result.getLong(1);
            }
        });
    }

    private static String unused(List<String> names) {
        String name = "_weir_gone";
        while (names.stream().anyMatch(name::equalsIgnoreCase)) {
            name += "_";
        }
        return name;
    }

    private static String list(List<String> names) {
        return names.stream().map(name -> quoted(name)).collect(Collectors.joining(", "));
    }

    private static String where(String condition) {
        return " WHERE " + inParentheses(condition);
    }

    /** A comment at its end ends with its line. */
    private static String inParentheses(String condition) {
        return "(" + condition + "\n)";
    }
}
