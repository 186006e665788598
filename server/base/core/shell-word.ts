/** Returns a word of a command as a shell reads it: in quotes where it has spaces or other characters with a meaning. */
export function shellWord(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
