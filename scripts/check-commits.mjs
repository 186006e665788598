/**
 * `npm run commits`: checks commits against CONTRIBUTING.md: a conventional subject of at most 72 characters, and a
 * body. Commits before the baseline are not checked.
 */
import { spawnSync } from 'node:child_process'

const BASELINE = '5ad1d44'
const SUBJECT_MAX_CHARACTERS = 72
const SUBJECT = /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([^()]+\))?!?: \S/

const git = (...args) => spawnSync('git', args, { encoding: 'utf8', maxBuffer: 100_000_000 })

function problemsOf({ subject, body }) {
  return [
    SUBJECT.test(subject) ? null : 'the subject is not of the form type(scope): subject',
    subject.length <= SUBJECT_MAX_CHARACTERS ? null : `the subject is longer than ${SUBJECT_MAX_CHARACTERS} characters`,
    body === '' ? 'there is no body that says why' : null,
  ].filter((problem) => problem !== null)
}

// An archive has no history, and a shallow clone only part of it.
if (git('merge-base', '--is-ancestor', BASELINE, 'HEAD').status !== 0) {
  console.log(`Commits are not checked: this checkout has no history back to ${BASELINE}.`)
  process.exit(0)
}

const log = git('log', '--no-merges', '--format=%h%x00%s%x00%b%x01', `${BASELINE}..HEAD`)
if (log.status !== 0) throw new Error(`git log failed: ${log.error?.message ?? log.stderr}`)
const commits = log.stdout.split('\u0001').flatMap((entry) => {
  const [id, subject, body] = entry.split('\0')
  return body === undefined ? [] : [{ id: id.trim(), subject, body: body.trim() }]
})
const found = commits.flatMap((commit) =>
  problemsOf(commit).map((problem) => `${commit.id} "${commit.subject}": ${problem}`),
)
for (const line of found) console.error(line)
process.exit(found.length === 0 ? 0 : 1)
