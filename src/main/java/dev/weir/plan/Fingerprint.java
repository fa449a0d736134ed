package dev.weir.plan;
import dev.weir.slicing.Cursor;
import java.util.Map;
public record Fingerprint(String hash, Map<String,String> inputs) {
  public static Fingerprint of(Scoping s, Cursor c) { return new Fingerprint("x"+c, Map.of("cursor", c.toString())); }
}
