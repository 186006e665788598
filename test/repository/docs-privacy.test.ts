import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { withRetentionTable } from '@/scripts/privacy-doc'

test('docs/privacy.md shows the current table of retention', () => {
  const page = readFileSync(path.join(process.cwd(), 'docs/privacy.md'), 'utf8')
  expect(page).toBe(withRetentionTable(page))
  for (const word of ['phone_codes', 'mailed_links', 'recovery_codes', 'sign_in_requests', 'privacy_requests']) {
    expect(page).toContain(`\`${word}\``)
  }
})
