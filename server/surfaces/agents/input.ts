/** Characters of the name that a person gives an agent: short enough to be read whole in a row. */
export const GIVEN_NAME_MAX = 60
