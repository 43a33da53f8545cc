/** Ids that people type or that look alike, in a form in which equal ones are the same text. Pure. */

/** Control and format characters, all spaces, and what Unicode says to display as nothing; U+2800 is a blank Braille cell. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** One character at a time, because a final sigma is lowered by its place. Upper case first unites "ß" and "ss". */
const fold = (text: string): string => Array.from(text.toUpperCase(), (each) => each.toLowerCase()).join('')

/** Printable ASCII without capitals and blanks: what most ids consist of, and what folding leaves as it is. */
const folded = /^[\x21-\x40\x5b-\x7e]*$/

/**
 * NFKC, case folding, no invisible characters. Two ids with the same result count as one person or agent, two action
 * types or tags as one. Letters of different scripts that look alike stay different.
 */
export const comparableId = (id: string): string =>
  folded.test(id)
    ? id
    : fold(id.normalize('NFKC').replaceAll(invisible, '')).normalize('NFKC').replaceAll(invisible, '')
