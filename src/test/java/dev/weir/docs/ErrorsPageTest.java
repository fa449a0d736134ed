package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fault.Code;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of errors tells of each code, in order, and of no other. */
class ErrorsPageTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| (WR\\d{4}) \\| ([^|]+) \\| ([^|]+) \\|$");
    private static final Pattern CODE = Pattern.compile("WR\\d{4}");

    private final String page = Document.read("docs/errors.md").text();

    @Test
    void everyCodeHasOneRowWithItsMeaningAndWhatToDo() {
        List<String> rows = ROW.matcher(page).results().map(row -> row.group(1)).toList();

        assertThat(rows)
                .containsExactlyElementsOf(
                        Arrays.stream(Code.values()).map(Code::toString).toList());
    }

    @Test
    void noPageNamesACodeThatDoesNotExist() {
        List<String> known = Arrays.stream(Code.values()).map(Code::toString).toList();
        for (Document document : Document.all()) {
            List<String> named = CODE.matcher(document.text())
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertThat(known).as(document.name()).containsAll(named);
        }
    }
}
