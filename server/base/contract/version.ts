/** The version of the interface description, as the interface fixes it. */
export const API_VERSION = '0.0.1'
