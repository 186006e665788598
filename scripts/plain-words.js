/**
 * Words and type names that the project does not use, each with what to write instead. The lint rules refuse them, and
 * docs/GLOSSARY.md lists them; test/repository/glossary.test.ts holds both lists equal.
 */
export const refusedWords = {
  afresh: 'again',
  anew: 'again',
  aright: 'correctly',
  everyday: 'usual, routine',
  hereby: 'by this',
  herein: 'here',
  manyth: 'a number: the generation, the position',
  naught: 'nothing',
  thereby: 'by that, so',
  therein: 'in it',
  thereof: 'of it',
  whence: 'from where, so',
  wherefrom: 'from where',
  wherein: 'in which',
  whereto: 'where',
  whoever: 'anyone who, or the role: the caller, the holder',
  whomever: 'anyone whom',
}

export const refusedTypeNames = [
  'Arrival',
  'Asked',
  'Door',
  'Found',
  'Kept',
  'Made',
  'News',
  'Patience',
  'Ran',
  'Said',
  'Standing',
  'Surroundings',
  'Telling',
  'Told',
]
