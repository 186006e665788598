import { expect, test } from 'vitest'
import { placePrefix } from './command.mjs'

test.each([
  [{}, ''],
  [{ PORT: '', LOG_LEVEL: 'debug' }, ''],
  [{ PORT: '4000', DATA_DIR: '/srv/data' }, 'PORT=4000 DATA_DIR=/srv/data '],
  [{ BASE_URL: 'http://localhost:4000' }, 'BASE_URL=http://localhost:4000 '],
  [{ DATA_DIR: "my data's" }, String.raw`DATA_DIR='my data'\''s' `],
])('before a command that is to reach the server of %j stands %j', (env, prefix) => {
  expect(placePrefix(env)).toBe(prefix)
})
