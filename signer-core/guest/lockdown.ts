/**
 * Imported first by both components: takes away what must not be used in the sandbox.
 *
 * Math.random repeats in every instance, because its seed lies in the snapshot. Code made from text would escape
 * review. The clock traps by itself; time comes in as a parameter.
 */
Math.random = () => {
  throw new Error('Math.random is not random here')
}

const makers = [function () {}, function* () {}, async function () {}, async function* () {}]
for (const maker of makers) {
  Object.defineProperty(Object.getPrototypeOf(maker), 'constructor', { value: undefined, writable: false })
}
Reflect.deleteProperty(globalThis, 'eval')
Reflect.deleteProperty(globalThis, 'Function')
