import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from './shell-word'

test.each(['/srv/countersign/bin.js', '@countersign/tools', '-y'])('%s is a word of a shell as it is', (word) => {
  expect(shellWord(word)).toBe(word)
})

test.each(['/home/ada/my shop/bin.js', "/home/ada's/bin.js", '$HOME', '', 'a\\b', '~'])(
  'a shell reads %j as one word',
  (word) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' })).toBe(word)
  },
)
