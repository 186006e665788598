/** The longest name, in characters, that a person may give an agent: short enough to be shown whole in a row. */
export const GIVEN_NAME_MAX = 60
