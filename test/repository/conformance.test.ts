import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const [oauthCases = '', federationCases = '', toolCases = '', credentialCases = '', faultCases = ''] = readFileSync(
  path.join(root, 'docs/conformance.md'),
  'utf8',
).split(/^## (?:Federation|Tool server|Credentials and presentations|Fault runs)$/m)

/** The codes of the page, in its order. */
const codesOf = (page: string) => [...page.matchAll(/^\| ([A-Z]\d+[a-z]?) +\|/gm)].map(([, code = '']) => code)

/** The codes with which titles, rows and names of checks begin, such as `'T2, T5 a second redemption …'`. */
function codesIn(directory: string, name: RegExp): Set<string> {
  const folder = path.join(root, directory)
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => name.test(file))
  const titles = sources.flatMap((file) => [
    ...readFileSync(path.join(folder, file), 'utf8').matchAll(
      /['"`](?:and )?((?:[A-Z]\d{1,2}[a-z]?(?:,? (?=[A-Z]\d))?)+)(?=['"` ])/g,
    ),
  ])
  return new Set(titles.flatMap(([, codes = '']) => codes.match(/[A-Z]\d+[a-z]?/g) ?? []))
}

describe('docs/conformance.md', () => {
  test('lists each code once', () => {
    for (const part of [oauthCases, federationCases, toolCases, credentialCases, faultCases]) {
      const codes = codesOf(part)
      expect(codes.length).toBeGreaterThan(20)
      expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
    }
  })

  test('lists exactly the codes of the OAuth suites', () => {
    const used = new Set([...codesIn('test/oauth', /\.ts$/), ...codesIn('test/processes', /\.test\.ts$/)])
    expect([...used].toSorted()).toEqual(codesOf(oauthCases).toSorted())
  })

  test('lists exactly the codes of the federation, each with a test', () => {
    expect([...codesIn('test/federation', /\.test\.ts$/)].toSorted()).toEqual(codesOf(federationCases).toSorted())
  })

  test('lists exactly the codes of the tool server, each with a test of the whole server but for A6', () => {
    const elsewhere = [...codesIn('test/privacy', /\.test\.ts$/)].filter((code) => code === 'A6')
    const used = new Set([...codesIn('test/tool-server', /\.test\.ts$/), ...elsewhere])
    expect([...used].toSorted()).toEqual(codesOf(toolCases).toSorted())
  })

  test('lists exactly the codes of credentials and presentations', () => {
    expect([...codesIn('test/credentials', /\.test\.ts$/)].toSorted()).toEqual(codesOf(credentialCases).toSorted())
  })

  test('lists exactly the codes of the fault runs', () => {
    expect([...codesIn('test/faults', /\.ts$/)].toSorted()).toEqual(codesOf(faultCases).toSorted())
  })
})
