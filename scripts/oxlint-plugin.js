import { refusedTypeNames, refusedWords } from './plain-words.js'

/** The project's own lint rules. `.oxlintrc.json` says where each applies. */

const nameOf = (node) => (node?.type === 'Identifier' ? node.name : null)

/** Returns whether the node is `object.property`, written with a dot or with a quoted name. */
function isMember(node, object, property) {
  if (node?.type !== 'MemberExpression' || nameOf(node.object) !== object) return false
  return node.computed ? node.property.value === property : nameOf(node.property) === property
}

const ambientSources = new Set(['randomBytes', 'randomFill', 'randomFillSync', 'randomInt', 'randomUUID', 'webcrypto'])
const isCrypto = (source) => source === 'crypto' || source === 'node:crypto'

const ambient = {
  meta: {
    type: 'problem',
    messages: {
      clock: 'Read the time from the call (`now`) or from platform.clock, never from the ambient Date.',
      random: 'Draw randomness from platform.random.',
    },
  },
  create(context) {
    return {
      NewExpression(node) {
        if (nameOf(node.callee) === 'Date' && node.arguments.length === 0) context.report({ node, messageId: 'clock' })
      },
      MemberExpression(node) {
        if (isMember(node, 'Date', 'now')) context.report({ node, messageId: 'clock' })
        if (isMember(node, 'Math', 'random') || isMember(node, 'crypto', 'randomUUID')) {
          context.report({ node, messageId: 'random' })
        }
      },
      ImportSpecifier(node) {
        if (isCrypto(node.parent?.source?.value) && ambientSources.has(nameOf(node.imported))) {
          context.report({ node, messageId: 'random' })
        }
      },
    }
  },
}

const environment = {
  meta: {
    type: 'problem',
    messages: {
      environment: 'server/base/platform/config.ts is the only reader of the environment; take the setting from there.',
    },
  },
  create(context) {
    return {
      MemberExpression(node) {
        if (isMember(node, 'process', 'env')) context.report({ node, messageId: 'environment' })
      },
      ImportSpecifier(node) {
        const source = node.parent?.source?.value
        if ((source === 'process' || source === 'node:process') && nameOf(node.imported) === 'env') {
          context.report({ node, messageId: 'environment' })
        }
      },
    }
  },
}

const canParse = {
  meta: {
    type: 'problem',
    messages: { wrong: 'URL.canParse is wrong about letters beyond ASCII once compiled: use parseUrl.' },
  },
  create(context) {
    return {
      MemberExpression(node) {
        if (isMember(node, 'URL', 'canParse')) context.report({ node, messageId: 'wrong' })
      },
    }
  },
}

const refusedWord = new RegExp(String.raw`\b(?:${Object.keys(refusedWords).join('|')})\b`, 'gi')

const plainWords = {
  meta: {
    type: 'suggestion',
    messages: { word: '"{{word}}" is not plain English here; write: {{instead}} (docs/GLOSSARY.md).' },
  },
  create(context) {
    const check = (node, text) => {
      for (const [word] of text.matchAll(refusedWord)) {
        context.report({ node, messageId: 'word', data: { word, instead: refusedWords[word.toLowerCase()] } })
      }
    }
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) check(comment, comment.value)
      },
      Literal(node) {
        if (typeof node.value === 'string') check(node, node.value)
      },
      TemplateElement(node) {
        check(node, node.value.raw)
      },
      JSXText(node) {
        check(node, node.value)
      },
    }
  },
}

const typeNames = {
  meta: {
    type: 'suggestion',
    messages: { name: '{{name}} does not say what the type holds; name the thing (docs/GLOSSARY.md).' },
  },
  create(context) {
    const check = ({ id }) => {
      const name = nameOf(id)
      if (refusedTypeNames.includes(name)) context.report({ node: id, messageId: 'name', data: { name } })
    }
    return { TSInterfaceDeclaration: check, TSTypeAliasDeclaration: check, ClassDeclaration: check }
  },
}

export default {
  meta: { name: 'countersign' },
  rules: { ambient, 'can-parse': canParse, environment, 'plain-words': plainWords, 'type-names': typeNames },
}
