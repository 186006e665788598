/** The commands that are printed for a person to run. */

const names = ['PORT', 'BASE_URL', 'DATA_DIR']

/**
 * Returns what must stand before a command so that it reaches the server: each setting of the place that came with the
 * environment, and so is missing in another shell. `env` is read before `.env` is.
 */
export function placePrefix(env) {
  return names.map((name) => (env[name] ? `${name}=${quote(env[name])} ` : '')).join('')
}

const quote = (value) => (/^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`)
