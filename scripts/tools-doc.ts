/**
 * `npm run docs:tools`: writes docs/tools.md from the schemas of the tool server (tool-server/src/tools) and the notes
 * in tool-notes.ts.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { tools } from '../tool-server/src/tools'
import { markdownTable } from './markdown-table'
import { commonErrors, type ToolError, toolNotes } from './tool-notes'

const file = path.join(path.dirname(import.meta.dirname), 'docs/tools.md')

/** The part of JSON Schema that the tools use. */
interface Schema {
  readonly type?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
}

const code = (value: unknown): string => `\`${JSON.stringify(value)}\``

/** Returns the type of a member in words. */
function typeOf(schema: Schema): string {
  const { type = 'any', format, enum: values, anyOf, items } = schema
  if (schema.const !== undefined) return code(schema.const)
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ')
  if (values !== undefined) return values.length > 4 ? 'one of the names below' : values.map(code).join(', ')
  if (type === 'array') return items === undefined ? type : `array of ${typeOf(items)}`
  return [format === undefined ? type : `${type} (${format})`, boundsOf(schema)].filter(Boolean).join(', ')
}

function boundsOf({ minimum, maximum, minLength, maxLength, default: preset }: Schema): string {
  const length = minLength === maxLength ? minLength : undefined
  const bounds = [
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : '',
    minimum !== undefined && maximum === undefined ? `at least ${minimum}` : '',
    length === undefined ? '' : `${length} characters`,
    preset === undefined ? '' : `${code(preset)} by default`,
  ]
  return bounds.filter(Boolean).join(', ')
}

/** Returns the rows of an object's members; those of inner objects follow under their full names. */
function rowsOf({ properties = {}, required = [] }: Schema, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = schema.items ?? schema
    const below = `${prefix}${name}${schema.items === undefined ? '' : '[]'}.`
    const row = [
      `\`${prefix}${name}\``,
      typeOf(schema),
      required.includes(name) ? 'yes' : 'no',
      schema.description ?? '',
    ]
    return [row.map((cell) => cell.replaceAll('|', String.raw`\|`)), ...rowsOf(inner, below)]
  })
}

/** Returns the lists of names that are too long for a row. */
function namesIn({ properties = {} }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, { enum: values, items }]) => {
    const names = values ?? items?.enum ?? []
    return names.length > 4 ? [`\`${name}\`: ${names.map((one) => `\`${String(one)}\``).join(', ')}.`] : []
  })
}

const errorTable = (errors: readonly ToolError[]): string =>
  markdownTable(
    ['`<detail>`', 'Meaning'],
    errors.map(([detail, meaning]) => [`\`${detail}\``, meaning]),
  ).trimEnd()

const memberTable = (presence: string, schema: Schema = {}): string =>
  markdownTable(['Member', 'Type', presence, 'Meaning'], rowsOf(schema)).trimEnd()

type Listing = (typeof tools)[number]['listing']

function section({ name, title, description, inputSchema, outputSchema, annotations = {} }: Listing): string {
  const { title: _title, ...hints } = annotations
  const notes = toolNotes[name]
  if (notes === undefined) throw new Error(`scripts/tool-notes.ts says nothing about ${name}`)
  const [input, output] = [inputSchema, outputSchema] as Schema[]
  const parts = [
    `## ${name}`,
    `**${title}.** ${description}`,
    `**Annotations:** ${Object.entries(hints)
      .map(([hint, value]) => `\`${hint}\` ${String(value)}`)
      .join(', ')}.`,
    '**Input**',
    memberTable('Required', input),
    ...namesIn(input ?? {}),
    '**Output**',
    memberTable('Always', output),
    '**Errors**',
    errorTable(notes.errors),
    '**Example**',
    `\`\`\`json\n${JSON.stringify(notes.example, null, 2)}\n\`\`\``,
  ]
  return parts.join('\n\n')
}

const intro = `Generated from the schemas of the tool server by \`npm run docs:tools\`.

The [tool server](../tool-server/README.md) offers a model ${tools.length} tools over the Model Context Protocol. This page lists what
each takes and returns. The README says how to connect a host, how a payment goes, and what is kept on the machine. The
descriptions are the texts that a model reads; "user" is the person in them.

A success has structured content as under _Output_, and the same as JSON text. A failure is a result with \`isError\` and
the text \`<tool_name> failed: <detail>\`; a second text says what to do, where something can be done. Unknown arguments are
refused. Amounts are integers in minor units. With \`COUNTERSIGN_TOOLS=read\` the server offers only the tools with
\`readOnlyHint\` true.

Every tool may fail with these, beside its own:`

/** Returns the page in its up-to-date form. */
export function renderTools(): string {
  const sections = tools.map(({ listing }) => section(listing))
  return ['# Tools', intro, errorTable(commonErrors), ...sections].join('\n\n').concat('\n')
}

if (process.argv[1] === import.meta.filename) writeFileSync(file, renderTools())
