/// The features that a world has to be prepared for, as far as its script's text tells.
struct ScriptTraits {
    let changesLanguage: Bool
    let usesConsole: Bool
    let makesValues: Bool
    let asksForTime: Bool
    let spreadsObjects: Bool
    let reflects: Bool
    let matchesExpressions: Bool
    let callsExec: Bool
    /// Whether it may run for one realm after the other in a world.
    let mayShareWorlds: Bool

    init(_ text: String) {
        let source = ScriptText(text).code
        changesLanguage = ScriptSyntax.mayChangeLanguage(source)
        usesConsole = ScriptSyntax.mayUseConsole(source)
        makesValues = ScriptSyntax.mayMakeValues(source)
        asksForTime = ScriptSyntax.mayAskForTime(source)
        spreadsObjects = ScriptSyntax.maySpreadObjects(source)
        reflects = ScriptSyntax.mayReflect(source)
        matchesExpressions = ScriptSyntax.mayMatchExpressions(source)
        callsExec = ScriptSyntax.mayCallExec(source)
        mayShareWorlds =
            !changesLanguage && !matchesExpressions && !callsExec && !ScriptSyntax.mayOutliveRun(source)
    }

    /// Whether there is anything to prepare before the text is run.
    var needsPreparation: Bool { changesLanguage || usesConsole || makesValues || asksForTime }
}
