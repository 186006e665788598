/** The house's own lint rules. `.oxlintrc.json` says where each applies. */

const nameOf = (node) => (node?.type === 'Identifier' ? node.name : null)

/** `object.property`, written with a dot or with a quoted name. */
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
      environment: 'server/platform/config.ts is the only reader of the environment; take the setting from there.',
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

export default { meta: { name: 'house' }, rules: { ambient, environment } }
