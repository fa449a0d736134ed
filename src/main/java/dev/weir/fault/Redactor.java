package dev.weir.fault;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes secrets out of text before anybody sees it.
 *
 * <p>Knows each secret as it is, and as drivers and tools may echo it: URL-encoded, in Base64, escaped in JSON, with its
 * quotes doubled, and line by line. Immutable and thread-safe.
 */
public final class Redactor {

    /** Hides nothing. */
    public static final Redactor NONE = new Redactor(List.of());

    private static final String HIDDEN = "***";

    private final List<String> forms;

    /** @param secrets the values to hide; empty ones are ignored, since hiding them would hide everything */
    public Redactor(Collection<String> secrets) {
        Set<String> all = new LinkedHashSet<>();
        for (String secret : secrets) {
            add(all, secret);
            secret.lines().map(String::strip).filter(line -> line.length() > 3).forEach(line -> add(all, line));
        }
        this.forms = all.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    private static void add(Set<String> forms, String secret) {
        if (secret.isEmpty()) {
            return;
        }
        forms.add(secret);
        if (!secret.isBlank()) {
            forms.add(secret.strip());
        }
        forms.add(URLEncoder.encode(secret, StandardCharsets.UTF_8));
        forms.add(URLEncoder.encode(secret, StandardCharsets.UTF_8).replace("+", "%20"));
        forms.add(Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8)));
        forms.add(secret.replace("\\", "\\\\").replace("\"", "\\\""));
        forms.add(secret.replace("'", "''"));
        forms.add(secret.replace("\"", "\"\""));
    }

    /** The text with every secret, in every known form, replaced by {@code ***}. */
    public String redact(String text) {
        String redacted = text;
        for (String form : forms) {
            redacted = redacted.replace(form, HIDDEN);
        }
        return redacted;
    }
}
