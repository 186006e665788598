/** The version of the interface description. */
export const API_VERSION = '0.0.1'
