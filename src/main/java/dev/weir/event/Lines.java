package dev.weir.event;

/** Where whole lines go. */
interface Lines {

    /** @param line one line, or several with line breaks between them; without one at its end */
    void line(String line);

    /** Whether nothing more will be written because writing has failed. */
    boolean isBroken();
}
