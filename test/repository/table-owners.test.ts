import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const root = process.cwd()
interface Module {
  readonly name: string
  readonly path: string
}
type Owned = Readonly<Record<string, readonly string[]>>
const { modules, tables, views } = createRequire(import.meta.url)('../../modules.cjs') as {
  modules: readonly Module[]
  tables: Owned
  views: Owned
}

/** The files below a folder whose names match, as paths from the root. */
function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.split(path.sep).join('/')}`)
    .filter((file) => pattern.test(file))
    .toSorted()
}

const ownersOf = (owned: Owned) =>
  new Map(Object.entries(owned).flatMap(([owner, names]) => names.map((name) => [name, owner] as const)))
const tableOwners = ownersOf(tables)
const viewOwners = ownersOf(views)

interface Model {
  readonly table: string
  /** The tables that its relation fields lead to. */
  readonly relations: ReadonlyMap<string, string>
}

/** The models of prisma/schema by the name that Prisma's client gives them. */
const models: ReadonlyMap<string, Model> = readModels()

function readModels(): Map<string, Model> {
  const schema = filesBelow('prisma/schema', /\.prisma$/).map((file) => readFileSync(file, 'utf8'))
  const blocks = [...schema.join('\n').matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(
    ([, name = '', body = '']) => ({
      name,
      body,
      table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name,
    }),
  )
  const tableOf = new Map(blocks.map(({ name, table }) => [name, table]))
  return new Map(
    blocks.map(({ name, body, table }) => {
      const fields = [...body.matchAll(/^ {2}(\w+)\s+(\w+)/gm)].flatMap(([, field = '', type = '']) => {
        const target = tableOf.get(type)
        return target === undefined ? [] : [[field, target] as const]
      })
      return [name.charAt(0).toLowerCase() + name.slice(1), { table, relations: new Map(fields) }]
    }),
  )
}

/** What one statement or call of Prisma's client does to a table or view. */
interface Use {
  readonly relation: string
  readonly writes: boolean
  readonly line: number
}

const KEYWORDS = /\b(FROM|JOIN|INTO|UPDATE|USING)\s+(?:ONLY\s+|LATERAL\s+)?((?:\w+(?:\s+AS)?(?:\s+\w+)?\s*,\s*)*\w+)/gi

/** The tables and views that SQL names, and whether it writes them. */
function usesInSql(text: string, lineOf: (offset: number) => number): Use[] {
  return [...text.matchAll(KEYWORDS)].flatMap((match) => {
    const [, keyword = '', list = ''] = match
    const isDelete = /\bDELETE\s+$/i.test(text.slice(0, match.index))
    // FOR UPDATE OF and ON CONFLICT DO UPDATE name no table here.
    const isLock = keyword.toUpperCase() === 'UPDATE' && /\b(?:FOR|DO)\s+$/i.test(text.slice(0, match.index))
    if (isLock) return []
    const writes = isDelete || ['INTO', 'UPDATE'].includes(keyword.toUpperCase())
    return list
      .split(',')
      .map((item) => item.trim().split(/\s+/)[0] ?? '')
      .filter((name) => tableOwners.has(name) || viewOwners.has(name))
      .map((relation) => ({ relation, writes, line: lineOf(match.index) }))
  })
}

const READS = /^(?:find\w*|count|aggregate|groupBy)$/

/** The tables that a call such as `db.prisma.client.findMany({ select: { principal: … } })` uses. */
function usesInCall(node: ts.CallExpression, lineOf: (offset: number) => number): Use[] {
  const method = node.expression
  if (!ts.isPropertyAccessExpression(method) || !ts.isPropertyAccessExpression(method.expression)) return []
  const { expression: holder, name } = method.expression
  const isClient =
    (ts.isPropertyAccessExpression(holder) && holder.name.text === 'prisma') ||
    (ts.isIdentifier(holder) && holder.text === 'prisma')
  const model = models.get(name.text)
  if (!isClient || model === undefined) return []
  const line = lineOf(node.getStart())
  const used: Use[] = [{ relation: model.table, writes: !READS.test(method.name.text), line }]
  const visit = (part: ts.Node): void => {
    if (ts.isPropertyAssignment(part) || ts.isShorthandPropertyAssignment(part)) {
      const target = model.relations.get(part.name.getText())
      if (target !== undefined) used.push({ relation: target, writes: false, line })
    }
    ts.forEachChild(part, visit)
  }
  node.arguments.forEach(visit)
  return used
}

/** Every use of a table or view in a source file. */
function usesIn(source: string): Use[] {
  const file = ts.createSourceFile('file.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const lineOf = (offset: number) => file.getLineAndCharacterOfPosition(offset).line + 1
  const found: Use[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)) {
      const start = node.getStart(file)
      // A value or fragment in between is one word, so that what stands around it is read as in the statement.
      const text = ts.isTemplateExpression(node)
        ? node.head.text + node.templateSpans.map((span) => ` x ${span.literal.text}`).join('')
        : node.text
      found.push(...usesInSql(text, () => lineOf(start)))
    }
    if (ts.isCallExpression(node)) found.push(...usesInCall(node, lineOf))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** The module that a file belongs to; a file of no module owns nothing. */
function moduleOf(file: string): string | null {
  return modules.find((module) => file.startsWith(`server/${module.path}/`))?.name ?? null
}

function violationsIn(file: string, source: string): string[] {
  const here = moduleOf(file)
  return usesIn(source).flatMap(({ relation, writes, line }) => {
    const owner = tableOwners.get(relation)
    if (owner === undefined) return writes ? [`${file}:${line} writes the view ${relation}`] : []
    if (owner === here) return []
    return [`${file}:${line} ${writes ? 'writes' : 'reads'} ${relation}, which belongs to ${owner}`]
  })
}

const sources = ['server', 'scripts', 'app']
  .flatMap((folder) => filesBelow(folder, /\.(?:ts|tsx|mjs)$/))
  .filter((file) => !/\.(?:test|contract)\.ts$|\/test-support\.ts$/.test(file))

describe('table owners', () => {
  test('every table of the schema has one owner, and every owner is a module', () => {
    const owned = Object.values(tables).flat()
    const known = [...models.values()].map(({ table }) => table)
    expect(owned.filter((table) => table !== '_prisma_migrations').toSorted()).toEqual(known.toSorted())
    const names = modules.map(({ name }) => name)
    expect([...Object.keys(tables), ...Object.keys(views)].filter((owner) => !names.includes(owner))).toEqual([])
  })

  test('every view reads tables of its owner alone', () => {
    const migrations = filesBelow('prisma/migrations', /\.sql$/)
    const definitions = migrations.flatMap((file) => [
      ...readFileSync(path.join(root, file), 'utf8').matchAll(/^CREATE (?:OR REPLACE )?VIEW (\w+)([\s\S]*?);/gm),
    ])
    expect(new Set(definitions.map(([, name]) => name))).toEqual(new Set(viewOwners.keys()))
    const foreign = definitions.flatMap(([, name = '', body = '']) =>
      usesInSql(body, () => 0)
        .filter(({ relation }) => tableOwners.get(relation) !== viewOwners.get(name))
        .map(({ relation }) => `${name} reads ${relation}`),
    )
    expect(foreign).toEqual([])
  })

  test('a table is named by its owner alone', () => {
    expect(sources.length).toBeGreaterThan(400)
    const found = sources.flatMap((file) => violationsIn(file, readFileSync(path.join(root, file), 'utf8')))
    expect(found).toEqual([])
  })

  test('views are read, not only made', () => {
    const used = new Set(
      sources.flatMap((file) => usesIn(readFileSync(path.join(root, file), 'utf8')).map(({ relation }) => relation)),
    )
    expect([...viewOwners.keys()].filter((view) => !used.has(view))).toEqual([])
  })

  test.each([
    ['sql`SELECT 1 FROM clients c`', 'reads clients, which belongs to clients'],
    ['sql`SELECT 1 FROM payments p JOIN clients c ON c.id = p.client_id`', 'reads clients, which belongs to clients'],
    ['sql`UPDATE clients SET name = ${name}`', 'writes clients, which belongs to clients'],
    ['sql`INSERT INTO jobs (id) VALUES (${id})`', 'writes jobs, which belongs to queue'],
    ['sql`DELETE FROM jobs WHERE id = ${id}`', 'writes jobs, which belongs to queue'],
    ['sql`DELETE FROM payments USING principals p WHERE true`', 'reads principals, which belongs to principals'],
    ['sql`SELECT 1 FROM payments p, mandates d`', 'reads mandates, which belongs to mandates'],
    ['sql`UPDATE agents SET name = ${name}`', 'writes the view agents'],
    ["sql.raw('SELECT 1 FROM jobs')", 'reads jobs, which belongs to queue'],
    ['db.prisma.job.findMany({ where: { id } })', 'reads jobs, which belongs to queue'],
    ['platform.db.prisma.job.deleteMany({ where: { id } })', 'writes jobs, which belongs to queue'],
    ['db.prisma.payment.findMany({ include: { client: true } })', 'reads clients, which belongs to clients'],
  ])('a planted violation is found: %s', (source, violation) => {
    const file = 'server/money/payments/planted.ts'
    expect(violationsIn(file, source)).toEqual([`${file}:1 ${violation}`])
  })

  test.each([
    'sql`SELECT 1 FROM payments p JOIN agents a ON a.id = p.client_id`',
    'sql`SELECT 1 FROM payments FOR UPDATE`',
    'db.prisma.payment.updateMany({ where: { payment_intent_id }, data: { status } })',
  ])('an owner may write its tables, and everybody reads views: %s', (source) => {
    expect(violationsIn('server/money/payments/planted.ts', source)).toEqual([])
  })
})
