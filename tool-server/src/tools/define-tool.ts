import type { CallToolResult, Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { CountersignError, Refusal } from '../errors.js'
import { printable } from '../http/refusals.js'
import { isJsonObject, type JsonObject } from '../json.js'
import { log } from '../log.js'
import type { Host } from '../payment/host.js'
import type { Settings } from '../settings.js'

/** The most characters of an unknown argument's name that are repeated. */
const NAME_MAX_CHARS = 64

/** The host and the settings of a running tool. */
export interface ToolContext extends Host {
  readonly settings: Settings
}

/** The result of a tool: its structured content, and a note where one is needed. */
export interface ToolAnswer<Output> {
  readonly output: Output
  readonly note?: string | undefined
}

/** The definition of a tool. */
export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  /** The result as listed to hosts: a flat object, since hosts and SDKs do not handle unions at the top level. */
  readonly output: Output
  /** The stricter schema that results are checked against, if {@link output} is not exact. */
  readonly exactOutput?: z.ZodType
  readonly annotations: Required<Omit<ToolAnnotations, 'title'>>
  readonly run: (input: z.infer<Input>, context: ToolContext) => Promise<ToolAnswer<z.infer<Output>>>
}

/** A tool as the server lists and calls it. */
export interface Tool {
  readonly listing: ListedTool
  call(args: unknown, context: ToolContext): Promise<CallToolResult>
}

/** Makes a tool of its definition: checks arguments and results, and reports failures in one form. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, title, description, input, output, exactOutput = output } = definition
  return {
    listing: {
      name,
      title,
      description,
      inputSchema: toJsonSchema(input, 'input'),
      outputSchema: toJsonSchema(output, 'output'),
      annotations: { title, ...definition.annotations },
    },
    async call(args, context) {
      const parsed = input.safeParse(args ?? {})
      if (!parsed.success)
        return toFailure(name, new CountersignError(`invalid arguments: ${describeIssue(parsed.error)}`))
      try {
        const answer = await definition.run(parsed.data, context)
        const content = exactOutput.parse(answer.output)
        if (!isJsonObject(content)) throw new TypeError('structured content must be an object')
        return toSuccess(content, answer.note)
      } catch (error) {
        return toFailure(name, error)
      }
    },
  }
}

/** Returns structured content, the same as JSON text for hosts that read only text, and the note. */
function toSuccess(content: JsonObject, note: string | undefined): CallToolResult {
  return {
    structuredContent: content,
    content: [text(JSON.stringify(content)), ...(note === undefined ? [] : [text(note)])],
  }
}

/** Returns `<tool_name> failed: <detail>` with the hint. Details of unexpected errors are only logged. */
function toFailure(name: string, error: unknown): CallToolResult {
  const isKnown = error instanceof CountersignError
  if (!isKnown) log('tool failed', { tool: name, error: error instanceof Error ? error.name : typeof error })
  const detail = isKnown ? error.message : unknownDetail(error)
  const hint = isKnown ? error.hint : undefined
  return {
    isError: true,
    content: [text(`${name} failed: ${detail}`), ...(hint === undefined ? [] : [text(hint)])],
  }
}

/** Returns the detail to display for an unexpected error. */
export function unknownDetail(error: unknown): string {
  const isSystemError = error instanceof Error && 'syscall' in error && 'code' in error
  return isSystemError ? `the state directory cannot be used (${String(error.code)})` : 'internal error'
}

const text = (value: string) => ({ type: 'text' as const, text: value })

function describeIssue(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
      const name = unknown === undefined ? [] : [printable(unknown, NAME_MAX_CHARS)]
      const path = [...issue.path, ...name].map(String).join('.')
      return `${path === '' ? 'arguments' : path}: ${unknown === undefined ? issue.message : 'unknown argument'}`
    })
    .join('; ')
}

/** Returns the JSON Schema for hosts, without the bounds of JavaScript's integers, which say nothing about the tool. */
function toJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] {
  const json = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
  // Without `$schema`: the protocol has a default dialect, and some hosts refuse to load one.
  const { $schema: _dialect, ...rest } = json as JsonObject
  return { ...rest, type: 'object' }
}

/** Returns the failure of a registration with the code alone, as the interface names it. */
export function toRegistrationFailure(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  return new CountersignError(error.code ?? String(error.status), error.hint)
}
