package dev.weir.fault;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Takes secrets out of text before anybody sees it.
 *
 * <p>Knows each secret as it is, and as drivers and tools may echo it: URL-encoded, in Base64, escaped in JSON, with its
 * quotes doubled, and line by line; long ones also when they are cut off. Immutable and thread-safe.
 */
public final class Redactor {

    /** Hides nothing. */
    public static final Redactor NONE = new Redactor(List.of());

    private static final String HIDDEN = "***";

    /** A secret from this length on is also known by its parts, since servers and tools cut long values off. */
    private static final int LONG = 32;

    private static final int PART = 16;

    private final List<String> forms;
    private final int[] partHashes;

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
        this.partHashes = forms.stream()
                .filter(form -> form.length() >= LONG)
                .flatMapToInt(form -> IntStream.rangeClosed(0, form.length() - PART)
                        .map(at -> form.substring(at, at + PART).hashCode()))
                .sorted()
                .distinct()
                .toArray();
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
        return partHashes.length == 0 ? redacted : withoutParts(redacted);
    }

    private String withoutParts(String text) {
        StringBuilder out = new StringBuilder();
        int kept = 0;
        int hidden = 0;
        for (int at = 0; at + PART <= text.length(); at++) {
            if (isPart(text.substring(at, at + PART))) {
                if (at > hidden || hidden == 0) {
                    out.append(text, kept, at).append(HIDDEN);
                }
                hidden = at + PART;
                kept = hidden;
            }
        }
        return out.append(text, kept, text.length()).toString();
    }

    private boolean isPart(String piece) {
        return Arrays.binarySearch(partHashes, piece.hashCode()) >= 0
                && forms.stream().anyMatch(form -> form.length() >= LONG && form.contains(piece));
    }
}
