/** The kinds of problems of a workspace file: causes and remedies. */

/** The kinds of problems of a workspace file, by code. A code never changes its meaning. */
export const problemCodes = {
  unreadable:
    "A file cannot be read: it does not exist, is a folder, is not text in UTF-8, or is a module that fails.",
  syntax: "The text is not valid YAML.",
  "too-large": "A file is too large, is nested too deeply, or its aliases expand to too much.",
  "duplicate-key": "A map contains the same key twice.",
  "declared-twice": "A name is declared twice, or two entries name the same object of the service.",
  "unknown-property": "There is no such property here.",
  "unknown-name": "A name refers to an object that is not declared.",
  required: "A required property is missing.",
  "wrong-type":
    "A value has the wrong type, such as a string instead of a number, or a list instead of a map.",
  "not-allowed-value": "A value is not one of the allowed ones.",
  "out-of-range": "A number is too small or too large, or a list or string is too short or too long.",
  "wrong-format": "A string does not have the required format, such as a date or an e-mail address.",
  conflict: "Two properties exclude each other.",
  placeholder: "A placeholder is unknown, or has no value.",
  "forbidden-source":
    "A placeholder refers to a file that may not be read: outside the folder, hidden, or in a hidden folder such as .git. Or a fleet file sets a variable that only the caller may set.",
  "secret-name":
    "A secret, or the text of a file, is part of a value that identifies an object, refers to one, or is a choice, such as a type.",
  include: "An included file does not exist, may not be read, or includes itself.",
  overlay: "An overlay does not match the document that it changes.",
  template: "A template or its parameters are invalid.",
  owns: "A declaration is not in what `owns` of its file matches, or two files own the same object.",
  cycle: "Objects refer to each other in a cycle.",
  "lint-rule": "A lint rule of your own cannot be read, or fails.",
} as const;

export type ProblemCode = keyof typeof problemCodes;

/** What to do about each kind of problem. */
export const problemRemedies: Readonly<Record<ProblemCode, string>> = {
  unreadable: "Check the path and the encoding, or fix the module.",
  syntax: "Correct the text at the line and column in the message.",
  "too-large": "Split the file with `include`.",
  "duplicate-key": "Rename one of the keys, or merge both entries.",
  "declared-twice": "Keep one of the two entries.",
  "unknown-property": "Use the property that the message suggests, or one from docs/reference/resources.md.",
  "unknown-name":
    "Correct the name, or declare the object. Use `external: true` for one that is managed elsewhere.",
  required: "Add the property.",
  "wrong-type": "Use a value of the type in the message. Quote a number that should be a string.",
  "not-allowed-value": "Use one of the values in the message.",
  "out-of-range": "Choose a value within the limits in the message.",
  "wrong-format": "Write the value in the format that the message names.",
  conflict: "Remove one of the two properties.",
  placeholder: "Set the variable or parameter, or correct the name.",
  "forbidden-source": "Use another file or variable. This protects the credentials of the run.",
  "secret-name":
    "Write the value itself, or use `${env:NAME}` if it is not secret. Addresses, plans and logs show such values.",
  include: "Correct the path, or remove the cycle.",
  overlay: "Change the overlay to match the document.",
  template: "Compare the parameters with the template (docs/workspace-file.md).",
  owns: "Move the entry to the file that owns it, or change `owns`.",
  cycle: "Remove one of the references that the message lists.",
  "lint-rule": "Fix the rule.",
};
