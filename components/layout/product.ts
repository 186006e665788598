/** What it is called in every language. */
export const PRODUCT = 'Countersign'
